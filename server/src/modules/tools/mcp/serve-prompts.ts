import type { PromptConfig } from '@knowhow/shared/chat/prompts';
import { type Localized, localize } from '@knowhow/shared/config/localized';
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

/** Prompts the caller may use, in their language. */
export interface PromptOffer {
  prompts: readonly PromptConfig[];
  /** Such as `de`. */
  language: string;
}

/** Maximum length of a filled prompt: a placeholder may occur many times. */
const maxLength = 1_000_000;

export function listPrompts({ prompts, language }: PromptOffer): Prompt[] {
  const text = (localized: Localized | undefined) => localize(localized, language);
  return prompts.map(({ id, name, description, variables = [] }) => ({
    name: id,
    title: text(name),
    // Some hosts require a description.
    description: text(description) || text(name),
    arguments: variables.map((variable) => ({
      name: variable.name,
      description: text(variable.label) || variable.name,
      required: variable.required ?? false,
    })),
  }));
}

/**
 * Fills a prompt's placeholders. Throws invalid params, with the same message whether it is missing
 * or forbidden.
 */
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

/** In one pass, so that placeholders inside values are not filled. */
function fill(text: string, values: ReadonlyMap<string, string>): string {
  let remaining = maxLength;
  return text.replace(/\[(\w{1,50})\]/g, (written, name: string) => {
    const value = values.get(name) ?? written;
    remaining -= value.length;
    if (remaining < 0) {
      throw invalid(
        `The values are too long: with them the prompt has over ${maxLength} characters.`,
      );
    }
    return value;
  });
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
