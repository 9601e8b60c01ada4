import { isRecord } from '@knowhow/shared/is-record';
import { cleanText } from './clean-text.ts';

/** A tool as described by its server, within limits. Its texts are untrusted. */
export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  parameters: Record<string, unknown>;
  annotations: { readOnly?: boolean; destructive?: boolean; openWorld?: boolean };
}

/** An ignored tool with the reason, as a sentence. */
export interface RefusedTool {
  name: string;
  message: string;
}

export interface ListedTools {
  tools: ListedTool[];
  refused: RefusedTool[];
}

const maxTools = 1000;
const maxRefused = 100;
const maxName = 300;
const maxTitle = 200;
const maxDescription = 8000;
/** Maximum length of a schema, in characters of JSON. */
const maxSchema = 64 * 1024;
const maxDepth = 24;

/**
 * Extracts the valid tools of a server's list; the others are returned with a reason. The input is
 * untrusted.
 */
export function readTools(listed: readonly unknown[]): ListedTools {
  const tools = new Map<string, ListedTool>();
  const refused: RefusedTool[] = [];
  const refuse = (name: string, message: string) => {
    if (refused.length < maxRefused) {
      refused.push({ name: name.slice(0, maxName), message });
    }
  };
  for (const [index, item] of listed.entries()) {
    const tool = isRecord(item) ? item : {};
    const name = typeof tool.name === 'string' ? tool.name : '';
    const reason = findProblem(tool, name, tools);
    if (reason !== undefined) {
      refuse(name || `number ${index + 1}`, reason);
      continue;
    }
    if (tools.size >= maxTools) {
      refuse(name, `A server has at most ${maxTools} tools; the rest is left out.`);
      break;
    }
    tools.set(name, toolOf(tool, name));
  }
  return { tools: [...tools.values()], refused };
}

function findProblem(
  { inputSchema }: Record<string, unknown>,
  name: string,
  known: ReadonlyMap<string, unknown>,
): string | undefined {
  if (name === '' || name.includes('\0')) {
    return 'It has no name.';
  }
  if (name.length > maxName) {
    return `Its name has more than ${maxName} characters.`;
  }
  if (known.has(name)) {
    return 'The server has another tool of this name.';
  }
  if (!isRecord(inputSchema)) {
    return 'It has no schema for its arguments.';
  }
  if (!isShallow(inputSchema, maxDepth)) {
    return `The schema of its arguments is more than ${maxDepth} levels deep.`;
  }
  if (JSON.stringify(inputSchema).length > maxSchema) {
    return `The schema of its arguments is longer than ${maxSchema} characters.`;
  }
  return undefined;
}

function toolOf(tool: Record<string, unknown>, name: string): ListedTool {
  const { inputSchema, description, annotations } = tool;
  const hints = isRecord(annotations) ? annotations : {};
  const title = [tool.title, hints.title].find((text) => typeof text === 'string' && text !== '');
  return {
    name,
    ...(typeof title === 'string' ? { title: cleanText(title, maxTitle) } : {}),
    description: typeof description === 'string' ? cleanText(description, maxDescription) : '',
    parameters: { ...(isRecord(inputSchema) ? inputSchema : {}), type: 'object' },
    annotations: {
      ...flag('readOnly', hints.readOnlyHint),
      ...flag('destructive', hints.destructiveHint),
      ...flag('openWorld', hints.openWorldHint),
    },
  };
}

function flag(name: string, value: unknown): Record<string, boolean> {
  return typeof value === 'boolean' ? { [name]: value } : {};
}

function isShallow(value: unknown, levels: number): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1)))
  );
}
