import { fillIn } from '@knowhow/shared/fill-in';
import { findLanguage, findTexts, locales } from '../../platform/lib/locales.ts';
import type { ModelEvent, ModelRequest, ModelTool } from '../models/index.ts';
import { addDescriptions } from './describe-tool.ts';
import type { Tool } from './tool.ts';

/** A tool to offer, with its translations if it is built in. */
export interface TranslatableTool extends ModelTool, Pick<Tool, 'textsIn'> {}

/**
 * The language of built-in tools for a user's language such as `de-AT`.
 *
 * @returns undefined for English, the fallback
 */
function toolLanguage(tag: string): string | undefined {
  const language = findLanguage(tag);
  return language === 'en' ? undefined : language;
}

/**
 * Translates tools, memoized per array. A tool keeps its English name if the translated one is
 * taken.
 *
 * @param language undefined for English
 */
export function translateTools(
  tools: readonly TranslatableTool[],
  language: string | undefined,
): ModelTool[] {
  const wanted = language === undefined ? undefined : toolLanguage(language);
  const byLanguage = translated.get(tools) ?? new Map<string | undefined, ModelTool[]>();
  translated.set(tools, byLanguage);
  const known = byLanguage.get(wanted) ?? tools.map((tool) => translateTool(tool, tools, wanted));
  byLanguage.set(wanted, known);
  return known;
}

const translated = new WeakMap<readonly TranslatableTool[], Map<string | undefined, ModelTool[]>>();

function translateTool(
  { textsIn, ...tool }: TranslatableTool,
  all: readonly ModelTool[],
  language: string | undefined,
): ModelTool {
  if (language === undefined || !textsIn) {
    return tool;
  }
  const texts = textsIn(language);
  const name = translateName(tool.name, all, language);
  const hint = fillIn(findTexts(language).englishToolName, { name: tool.name });
  return {
    name,
    description: name === tool.name ? texts.description : `${texts.description} ${hint}`,
    parameters: addDescriptions(tool.parameters, texts.parameters),
  };
}

function translateName(
  name: string,
  all: readonly ModelTool[],
  language: string | undefined,
): string {
  const translation = language === undefined ? undefined : findTranslation(name, language);
  return translation === undefined || all.some((tool) => tool.name === translation)
    ? name
    : translation;
}

/** Function names consist of letters, digits and underscores; `skill_` is the prefix of skill tools. */
function findTranslation(name: string, language: string): string | undefined {
  const tools: Readonly<Record<string, { name: string }>> = findTexts(language).tools;
  return Object.hasOwn(tools, name) ? tools[name]?.name : undefined;
}

/** Translates a request's tools, and their names in earlier calls and results. */
export function translateRequest(
  request: ModelRequest & { tools: TranslatableTool[] },
  language: string | undefined,
): ModelRequest {
  const { tools } = request;
  const wanted = language === undefined ? undefined : toolLanguage(language);
  const nameOf = <Named extends { name: string }>(named: Named): Named => ({
    ...named,
    name: translateName(named.name, tools, wanted),
  });
  const messages = request.messages.map((message) => {
    if (message.role === 'assistant') {
      return { ...message, toolCalls: message.toolCalls.map(nameOf) };
    }
    return message.role === 'tool' ? nameOf(message) : message;
  });
  return {
    ...request,
    messages: wanted === undefined ? request.messages : messages,
    tools: translateTools(tools, language),
  };
}

/**
 * Maps tool names in a model's event back to English, as used in permissions, records and the chat.
 * Works for any language, since models may repeat names from earlier messages.
 */
export function withEnglishNames(event: ModelEvent, offered: readonly ModelTool[]): ModelEvent {
  switch (event.type) {
    case 'tool-call': {
      const { call } = event;
      return { ...event, call: { ...call, name: englishToolName(call.name, offered) } };
    }
    case 'retry':
      return event.refusedTool === undefined
        ? event
        : { ...event, refusedTool: englishToolName(event.refusedTool, offered) };
    default:
      return event;
  }
}

function englishToolName(name: string, offered: readonly ModelTool[]): string {
  return offered.some((tool) => tool.name === name) ? name : (englishNames.get(name) ?? name);
}

const englishNames: ReadonlyMap<string, string> = new Map(
  [...locales.values()].flatMap(({ tools }) =>
    Object.entries(tools).map(([english, { name }]) => [name, english]),
  ),
);
