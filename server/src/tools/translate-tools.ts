import type { ModelEvent, ModelRequest, ModelTool } from '../models/model.ts';

/** Languages other than English in which built-in tools are described to models. */
const languages = ['de'] as const;
type ToolLanguage = (typeof languages)[number];

/** A tool's description in another language. */
interface ToolTexts {
  description: string;
  /** By parameter name; names are the same in all languages. */
  parameters?: Readonly<Record<string, string>>;
}

export type ToolTranslations = Readonly<Record<ToolLanguage, ToolTexts>>;

/** A tool to offer. Only built-in tools have translations. */
export interface TranslatableTool extends ModelTool {
  translations?: ToolTranslations;
}

/**
 * Translated function names: letters, digits and underscores. None starts with `skill_`, the prefix
 * of skill tools.
 */
const names: Readonly<Record<ToolLanguage, Readonly<Record<string, string>>>> = {
  de: {
    activate_skill: 'aktiviere_skill',
    read_skill_resource: 'lies_skill_datei',
    search_skills: 'suche_skills',
    list_skills: 'liste_skills',
    run_skill_script: 'starte_skill_skript',
    search_tools: 'suche_werkzeuge',
    read_attachment: 'lies_anhang',
    ask_user: 'frage_nutzer',
    calculate: 'berechne',
    current_time: 'aktuelle_zeit',
    fetch_page: 'lies_webseite',
  },
};

/** Label of the English name in a description. */
const englishName: Readonly<Record<ToolLanguage, string>> = { de: 'Englischer Name' };

/**
 * The language of built-in tools for a user's language such as `de-AT` (RFC 5646).
 *
 * @returns undefined for English, the fallback
 */
function toolLanguage(language: string): ToolLanguage | undefined {
  const [primary] = language.toLowerCase().split('-');
  return languages.find((known) => known === primary);
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
  const byLanguage = translated.get(tools) ?? new Map<ToolLanguage | undefined, ModelTool[]>();
  translated.set(tools, byLanguage);
  const known = byLanguage.get(wanted) ?? tools.map((tool) => translateTool(tool, tools, wanted));
  byLanguage.set(wanted, known);
  return known;
}

const translated = new WeakMap<
  readonly TranslatableTool[],
  Map<ToolLanguage | undefined, ModelTool[]>
>();

function translateTool(
  { translations, ...tool }: TranslatableTool,
  all: readonly ModelTool[],
  language: ToolLanguage | undefined,
): ModelTool {
  const texts = language && translations?.[language];
  if (!texts) {
    return tool;
  }
  const name = translateName(tool.name, all, language);
  const { properties } = tool.parameters;
  const described = Object.entries(properties).map(([key, property]) => {
    const description = texts.parameters?.[key];
    return [key, description === undefined ? property : { ...property, description }];
  });
  return {
    name,
    description:
      name === tool.name
        ? texts.description
        : `${texts.description} ${englishName[language]}: ${tool.name}.`,
    parameters: { ...tool.parameters, properties: Object.fromEntries(described) },
  };
}

function translateName(
  name: string,
  all: readonly ModelTool[],
  language: ToolLanguage | undefined,
): string {
  const translation = language && ownTranslation(names[language], name);
  return translation === undefined || all.some((tool) => tool.name === translation)
    ? name
    : translation;
}

function ownTranslation(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
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
  Object.values(names).flatMap((table) =>
    Object.entries(table).map(([english, translation]) => [translation, english]),
  ),
);
