/** Whether a text names custom fields: keys of the front matter, or `key=field`, each key once. */
export function areFields(text: string): boolean {
  const pairs = text.split(/[,、，]/u).map((pair) => pair.trim()).filter((pair) => pair !== "");
  const parts = pairs.map((pair) => {
    const [key = "", ...field] = pair.split(/[=＝]/u);
    return { key: key.trim(), field: field.length === 0 ? key.trim() : pair.slice(key.length + 1).trim() };
  });
  return parts.every(({ key, field }) => key !== "" && field !== "") && new Set(parts.map(({ key }) => key)).size === parts.length;
}
