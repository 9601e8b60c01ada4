/**
 * The language that specs script a model in. An answer is a list of steps: `provider.plays([say('Let me
 * look.'), activate('pdf')], [say('Done.')])` scripts two answers.
 */
export type Step =
  /** Streams a text word by word, `everyMs` apart. */
  | { do: 'say'; text: string; everyMs: number }
  /** Streams a text in a few large chunks. */
  | { do: 'dump'; text: string }
  /** Calls tools, all in one answer. */
  | { do: 'call'; calls: ScriptedCall[] }
  /** Fails the request; only sensible as the first step. */
  | { do: 'fail'; status: number; retryAfter?: number }
  /** Sends an error in mid-stream, in OpenAI's format, and ends. */
  | { do: 'break' }
  /** Closes the connection without a response. */
  | { do: 'cut' }
  /** Waits for a promise of the spec. */
  | { do: 'pause'; until: Promise<void> }
  /** Sends nothing more, and waits until the client disconnects. */
  | { do: 'hang' }
  /** Sends invalid JSON. */
  | { do: 'garbage' }
  /** Sends raw chunks of the body, each in its own write, and ends. */
  | { do: 'send'; pieces: Iterable<string> };

export type ScriptedAnswer = Step[];

export interface ScriptedCall {
  name: string;
  input: Record<string, unknown>;
}

export function say(text: string, { everyMs = 0 } = {}): Step {
  return { do: 'say', text, everyMs };
}

export function dump(text: string): Step {
  return { do: 'dump', text };
}

export function call(...calls: ScriptedCall[]): Step {
  return { do: 'call', calls };
}

export function activate(...skills: string[]): Step {
  return call(...skills.map((name) => ({ name: 'activate_skill', input: { skill_name: name } })));
}

export function read(skill: string, ...paths: string[]): Step {
  return call(
    ...paths.map((path) => ({
      name: 'read_skill_resource',
      input: { skill_name: skill, file_path: path },
    })),
  );
}

export function pause(until: Promise<void>): Step {
  return { do: 'pause', until };
}

export function fail(status: number, retryAfter?: number): Step {
  return { do: 'fail', status, retryAfter };
}

export function send(pieces: Iterable<string>): Step {
  return { do: 'send', pieces };
}

export const breakOff: Step = { do: 'break' };
export const cut: Step = { do: 'cut' };
export const hang: Step = { do: 'hang' };
export const garbage: Step = { do: 'garbage' };
