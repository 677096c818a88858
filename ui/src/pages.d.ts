// The pages of docs/halts, read when the window is built.
declare module "virtual:pages" {
  const pages: Record<string, Record<"ja" | "en", import("./lib/i18n/pages").Page>>;
  export default pages;
}
