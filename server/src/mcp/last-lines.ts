const mostCharacters = 4000;

/** The end of what a process has written: often the only cause of its death that there is. */
export interface LastLines {
  add(text: string): void;
  /** In lines, without control characters. */
  readonly text: string;
}

export function lastLines(): LastLines {
  let kept = '';
  return {
    add: (text) => {
      kept = (kept + text.slice(-mostCharacters)).slice(-mostCharacters);
    },
    get text() {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours and the like are taken out
      return kept.replace(/\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '').trim();
    },
  };
}
