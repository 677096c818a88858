type Catalogue = Record<string, string | Record<string, string | undefined>>;
export function placeholders(message: string | Record<string, string>): string[];
export function compare(ja: Catalogue, en: Catalogue): string[];
export function unused(keys: string[], texts: string[]): string[];
