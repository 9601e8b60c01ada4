import type { ModelEvent, ModelRequest, ModelTool } from '../models/model.ts';

/** Languages other than English in which our own tools are described to models. */
const languages = ['de'] as const;
type ToolLanguage = (typeof languages)[number];

/** The description of a tool for models, in another language. */
interface ToolTexts {
  description: string;
  /** By name of the parameter; names of parameters are the same in all languages. */
  parameters?: Readonly<Record<string, string>>;
}

export type ToolTranslations = Readonly<Record<ToolLanguage, ToolTexts>>;

/** A tool to offer. Only our own tools have translations. */
export interface TranslatableTool extends ModelTool {
  translations?: ToolTranslations;
}

/** Function names: letters, digits and underscores. None begins with `skill_` as the tools of skills do. */
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

/** Before it the language, after it the English name. */
const englishName: Readonly<Record<ToolLanguage, string>> = { de: 'Englischer Name' };

/**
 * The language for our tools, by a user's language such as `de-AT` (RFC 5646).
 *
 * @returns undefined for English, which is used for all languages without a translation
 */
function toolLanguage(language: string): ToolLanguage | undefined {
  const [primary] = language.toLowerCase().split('-');
  return languages.find((known) => known === primary);
}

/**
 * The tools as a model gets them in a language: the same array for the same tools. A tool keeps its English
 * name if another tool has the translated one.
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

/** A request with tools, earlier calls and their results named as a model gets them in a language. */
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
 * A model's event with tools by their English names, which rights, records and the chat go by. A call in
 * another language counts also when that language is not on: the model may have it from earlier messages.
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
