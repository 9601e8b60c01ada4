/** A prompt with its `[variables]` filled in. Unknown placeholders stay unchanged. */
export function fillPrompt(prompt: string, values: Readonly<Record<string, string>>): string {
  return prompt.replace(/\[([\p{L}\p{N}_]+)\]/gu, (written, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : written,
  );
}
