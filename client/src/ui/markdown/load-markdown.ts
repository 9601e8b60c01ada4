/** Loads what shows Markdown. Called early, so that it is there when the first answer comes. */
export async function loadMarkdown() {
  return { default: (await import('./markdown.tsx')).Markdown };
}
