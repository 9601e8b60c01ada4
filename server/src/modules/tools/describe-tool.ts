import { fillIn } from '../../platform/lib/fill-in.ts';
import {
  findTexts,
  locales,
  type ToolName,
  type ToolTextKey,
  type ToolTexts,
} from '../../platform/lib/locales.ts';

/** Texts of a tool by language, without English. */
export type ToolTranslations = Readonly<Record<string, ToolTexts>>;

/** What selects and completes the texts of a tool. */
interface TextChoice {
  /** The tool's name by default. */
  key?: ToolTextKey;
  /** Values of placeholders. */
  values?: Readonly<Record<string, string | number>>;
}

/** Adds the English texts of a built-in tool to it, and those in other languages. */
export function describeTool<Tool extends { name: ToolName; parameters: object }>(
  tool: Tool,
  { key = tool.name, values = {} }: TextChoice = {},
): Tool & { description: string; translations: ToolTranslations } {
  const { description, parameters } = fillTexts(findTexts('en').tools[key], values);
  const others = [...locales].filter(([language]) => language !== 'en');
  return {
    ...tool,
    description,
    parameters: addDescriptions(tool.parameters, parameters),
    translations: Object.fromEntries(
      others.map(([language, { tools }]) => [language, fillTexts(tools[key], values)]),
    ),
  };
}

function fillTexts(texts: ToolTexts, values: NonNullable<TextChoice['values']>): ToolTexts {
  const parameters = Object.entries(texts.parameters);
  return {
    description: fillIn(texts.description, values),
    parameters: Object.fromEntries(parameters.map(([name, text]) => [name, fillIn(text, values)])),
  };
}

/** The JSON schema of an object with these descriptions of its properties, which are by name. */
export function addDescriptions<Schema extends { properties?: object }>(
  schema: Schema,
  descriptions: ToolTexts['parameters'],
): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const description = descriptions[name];
    return [name, description === undefined ? property : { ...property, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
