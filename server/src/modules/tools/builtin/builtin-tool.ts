import { parseWith } from '@knowhow/shared/describe-issue';
import { z } from 'zod';
import { findTexts, type ToolName } from '../../../platform/lib/locales.ts';
import { describeTool, type TextChoice } from '../describe-tool.ts';
import {
  type SkillCall,
  type SkillTool,
  type Tool,
  type ToolCall,
  type ToolResult,
  toolError,
} from '../tool.ts';
import type { ToolSource } from '../tool-source.ts';

interface Definition<Arguments extends z.ZodType, Call> {
  name: ToolName;
  /** Accepted values. */
  arguments: Arguments;
  /** The JSON schema for models, by default that of `arguments`. */
  parameters?: Tool['parameters'];
  /** How to call it, for models whose arguments do not fit; by default, what does not fit. */
  usage?: string;
  /** Its texts for models, by default those of its name. */
  texts?: TextChoice['select'];
  /** Values of placeholders in its texts. */
  values?: TextChoice['values'];
  run(input: z.output<Arguments>, call: Call): ToolResult | Promise<ToolResult>;
}

type Behaviour = Omit<Tool, 'name' | 'title' | 'description' | 'parameters' | 'textsIn' | 'run'>;

/**
 * A built-in tool with typed, validated arguments. Its texts are those of its name in
 * `locales/<language>/tools.json`.
 */
export function builtinTool<Arguments extends z.ZodType, Call = ToolCall>({
  name,
  arguments: accepted,
  parameters = z.toJSONSchema(accepted, { target: 'draft-7' }),
  usage,
  texts: select = ({ tools }) => tools[name],
  values,
  run,
  ...behaviour
}: Behaviour & Definition<Arguments, Call>) {
  return {
    ...behaviour,
    name,
    title: findTexts('en').tools[name].title,
    ...describeTool(parameters, { select, values }),
    run: async (input: unknown, call: Call): Promise<ToolResult> => {
      const { data, error } = parseWith(accepted, input ?? {});
      return error
        ? toolError(usage ?? z.prettifyError(error), 'wrong arguments')
        : run(data, call);
    },
  };
}

/** A built-in tool that reads the skills of the turn. */
export function skillTool<Arguments extends z.ZodType>(
  tool: Definition<Arguments, SkillCall>,
): SkillTool {
  const hints = { readOnly: true, destructive: false, openWorld: false };
  const described = builtinTool<Arguments, SkillCall>({ ...tool, hints, consent: 'never' });
  return { ...described, isSkillTool: true };
}

/** A source of built-in tools; without a list, the conversation decides which to offer. */
export function builtinSource(id: string, tools: readonly Tool[] = []): ToolSource {
  const list = async () => tools;
  return {
    id,
    title: 'Knowhow',
    kind: 'builtin',
    list,
    listAll: list,
    state: () => ({ status: 'ready' }),
  };
}
