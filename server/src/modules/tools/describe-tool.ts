import { fillIn } from '@knowhow/shared/fill-in';
import { findTexts, type ServerTexts, type ToolTexts } from '../../platform/lib/locales.ts';
import type { Tool } from './tool.ts';

/** Selects the texts of a tool and fills their placeholders. */
export interface TextChoice {
  select: (texts: ServerTexts) => ToolTexts;
  /** Values of placeholders. */
  values?: Readonly<Record<string, string | number>> | undefined;
}

/** The texts of a built-in tool: in English, and in other languages on demand. */
export function describeTool(
  parameters: Tool['parameters'],
  { select, values = {} }: TextChoice,
): Pick<Tool, 'description' | 'parameters'> & Required<Pick<Tool, 'textsIn'>> {
  const textsIn = (language: string) => fillTexts(select(findTexts(language)), values);
  const english = textsIn('en');
  return {
    description: english.description,
    parameters: addDescriptions(parameters, english.parameters),
    textsIn,
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
export function addDescriptions<Schema extends { properties?: unknown }>(
  schema: Schema,
  descriptions: ToolTexts['parameters'],
): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const description = descriptions[name];
    return [name, description === undefined ? property : { ...property, description }];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}
