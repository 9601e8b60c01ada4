import type { PromptConfig } from '@knowhow/shared/chat/prompts';
import { type Localized, localize } from '@knowhow/shared/config/localized';
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

/** Prompts in the language of somebody who may use them. */
export interface PromptOffer {
  prompts: readonly PromptConfig[];
  /** Such as `de`. */
  language: string;
}

/** Characters of a prompt that is filled: variables may stand in it many times. */
const longest = 1_000_000;

/** What `prompts/list` says of each. */
export function listPrompts({ prompts, language }: PromptOffer): Prompt[] {
  const text = (localized: Localized | undefined) => localize(localized, language);
  return prompts.map(({ id, name, description, variables = [] }) => ({
    name: id,
    title: text(name),
    // Not everybody takes a prompt without one.
    description: text(description) || text(name),
    arguments: variables.map((variable) => ({
      name: variable.name,
      description: text(variable.label) || variable.name,
      required: variable.required ?? false,
    })),
  }));
}

/** A prompt with its variables filled in. Throws invalid params, in the same words for one that is not allowed. */
export function getPrompt(
  { prompts, language }: PromptOffer,
  name: string,
  given: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = prompts.find(({ id }) => id === name);
  if (!prompt) {
    throw invalid(`There is no prompt "${name}". Call prompts/list for those there are.`);
  }
  const values = new Map<string, string>();
  for (const { name: variable, required, defaultValue } of prompt.variables ?? []) {
    const value = Object.hasOwn(given, variable) ? given[variable] : undefined;
    const filled = value?.trim() ? value : localize(defaultValue, language);
    if (required && filled === '') {
      throw invalid(`"${variable}" is missing.`);
    }
    values.set(variable, filled);
  }
  const text = fill(localize(prompt.prompt, language), values);
  const description = localize(prompt.description ?? prompt.name, language);
  return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Once, so that what is filled in is not filled itself. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  let room = longest;
  return text.replace(/\[(\w{1,50})\]/g, (written, name: string) => {
    const value = values.get(name) ?? written;
    room -= value.length;
    if (room < 0) {
      throw invalid(
        `The values are too long: with them the prompt has over ${longest} characters.`,
      );
    }
    return value;
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
