const maxCharacters = 4000;

/** The tail of a process's output, often the only clue to why it died. */
export interface OutputTail {
  add(text: string): void;
  /** With line breaks, without control characters. */
  readonly text: string;
}

export function createOutputTail(): OutputTail {
  let tail = '';
  return {
    add: (text) => {
      tail = (tail + text.slice(-maxCharacters)).slice(-maxCharacters);
    },
    get text() {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: strips ANSI colours and other control characters
      return tail.replace(/\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '').trim();
    },
  };
}
