import { createContext } from "svelte";

import type { App } from "./app.svelte";

export const [useApp, provideApp] = createContext<App>();
