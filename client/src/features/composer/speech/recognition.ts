/** The used part of the Web Speech API: TypeScript's own types are not available everywhere. */
export interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}

/** Creates a recogniser; undefined if the browser has none. */
export function newRecognition(): Recognition | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = window as Window & {
    SpeechRecognition?: new () => Recognition;
    webkitSpeechRecognition?: new () => Recognition;
  };
  const Own = SpeechRecognition ?? webkitSpeechRecognition;
  return Own && new Own();
}

/** As a locale of the browser's user, such as `de-AT`. */
export function spokenTag(language: string): string {
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language;
}
