import { isRecord } from '@knowhow/shared/is-record';
import { cleanText } from '../clean-text.ts';

/** A prompt as described by its server, within limits. Its texts are untrusted. */
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

/**
 * Extracts the valid prompts of a server's list, without duplicate names. The input is untrusted.
 */
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
      title: cleanText(prompt.title, maxTitle) || name,
      description: cleanText(prompt.description, maxDescription),
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
  const label = cleanText(argument.title, maxTitle) || cleanText(argument.description, maxTitle);
  return name === undefined
    ? []
    : [{ name, label: label || name, required: argument.required === true }];
}

function nameOf({ name }: Record<string, unknown>): string | undefined {
  const isName = typeof name === 'string' && name !== '' && name.length <= maxName;
  return isName && !name.includes('\0') ? name : undefined;
}

/**
 * Joins the texts of a `prompts/get` result, with roles if there are several. Other content is
 * ignored.
 */
export function promptText(result: unknown): string {
  const messages = isRecord(result) && Array.isArray(result.messages) ? result.messages : [];
  const parts = messages.filter(isRecord).flatMap(({ role, content }) => {
    const text = textOf(content);
    return text === '' ? [] : [{ role: role === 'assistant' ? 'Assistant' : 'User', text }];
  });
  const hasRoles = parts.some(({ role }) => role === 'Assistant');
  const texts = parts.map(({ role, text }) => (hasRoles ? `${role}: ${text}` : text));
  return cleanText(texts.join('\n\n'));
}

function textOf(content: unknown): string {
  const part = isRecord(content) ? content : {};
  const from = part.type === 'resource' && isRecord(part.resource) ? part.resource : part;
  return typeof from.text === 'string' ? from.text : '';
}
