import { isRecord } from '@knowhow/shared/is-record';
import { withoutNul } from '@knowhow/shared/names';
import { wellFormed } from '../well-formed.ts';

/** A prompt as its server describes it, within bounds. All of it is the words of the server. */
export interface ServerPrompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; label: string; required: boolean }[];
}

const maxPrompts = 200;
const maxArguments = 30;
const maxName = 300;
const maxTitle = 200;
const maxDescription = 1000;

/** What of a server's list can be used: each name once. Nothing in it is trusted. */
export function readPrompts(listed: readonly unknown[]): ServerPrompt[] {
  const prompts = new Map<string, ServerPrompt>();
  for (const item of listed) {
    const prompt = isRecord(item) ? item : {};
    const name = nameOf(prompt);
    const given = Array.isArray(prompt.arguments) ? prompt.arguments : [];
    if (name === undefined || prompts.has(name) || given.length > maxArguments) {
      continue;
    }
    prompts.set(name, {
      name,
      title: clean(prompt.title, maxTitle) || name,
      description: clean(prompt.description, maxDescription),
      arguments: given.filter(isRecord).flatMap(argumentOf),
    });
    if (prompts.size === maxPrompts) {
      break;
    }
  }
  return [...prompts.values()];
}

function argumentOf(argument: Record<string, unknown>): ServerPrompt['arguments'] {
  const name = nameOf(argument);
  const label = clean(argument.title, maxTitle) || clean(argument.description, maxTitle);
  return name === undefined
    ? []
    : [{ name, label: label || name, required: argument.required === true }];
}

function nameOf({ name }: Record<string, unknown>): string | undefined {
  const isName = typeof name === 'string' && name !== '' && name.length <= maxName;
  return isName && !name.includes('\0') ? name : undefined;
}

function clean(text: unknown, most: number): string {
  return typeof text === 'string' ? withoutNul(wellFormed(text.slice(0, most))) : '';
}

/**
 * The text of what `prompts/get` answers: its texts in their order, with the role before each where there
 * are several. What is no text is left out.
 */
export function promptText(result: unknown): string {
  const messages = isRecord(result) && Array.isArray(result.messages) ? result.messages : [];
  const parts = messages.filter(isRecord).flatMap(({ role, content }) => {
    const text = textOf(content);
    return text === '' ? [] : [{ role: role === 'assistant' ? 'Assistant' : 'User', text }];
  });
  const hasRoles = parts.some(({ role }) => role === 'Assistant');
  const texts = parts.map(({ role, text }) => (hasRoles ? `${role}: ${text}` : text));
  return withoutNul(wellFormed(texts.join('\n\n')));
}

function textOf(content: unknown): string {
  const part = isRecord(content) ? content : {};
  const from = part.type === 'resource' && isRecord(part.resource) ? part.resource : part;
  return typeof from.text === 'string' ? from.text : '';
}
