/** Serializes a server-sent event: `type` is its name, the rest its data. */
export function eventFrame(id: number, { type, ...data }: { type: string }): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Optimized for `{type, content}`, of which there is one per token. */
export function textFrame(id: number, type: string, content: string): string {
  return `id: ${id}\nevent: ${type}\ndata: {"content":${JSON.stringify(content)}}\n\n`;
}
