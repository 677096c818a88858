import { mount } from "svelte";

import App from "./App.svelte";
import type { Backend } from "./lib/backend/backend";
import { tauriBackend } from "./lib/backend/tauri";
import "./styles/scale.css";
import "./styles/meaning.css";
import "./styles/base.css";

// In a plain browser the window runs on a played program; a build for the desktop leaves that out.
async function backend(): Promise<Backend> {
  if (import.meta.env.MODE === "fake" || import.meta.env.DEV) {
    const { fakeBackend, sceneOf } = await import("./lib/backend/fake");
    const fake = fakeBackend(sceneOf(location.href));
    // The tests of the window play events through it.
    Object.assign(window, { ichidoFake: fake });
    return fake;
  }
  return tauriBackend();
}

const target = document.getElementById("app");
if (target) mount(App, { target, props: { backend: await backend() } });
