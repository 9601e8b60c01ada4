import type { OpenAiCompletion, OpenAiTool } from '@knowhow/shared/chat/openai';
import { localize } from '@knowhow/shared/config/localized';
import { problem } from '@knowhow/shared/problem';
import type { Program, TurnAccess } from '../../chat/index.ts';
import type {
  JsonSchemaObject,
  ModelRequest,
  ModelTool,
  ModelToolCall,
} from '../../models/index.ts';
import { describeParameters } from '../../tools/index.ts';

/** An API client as part of a turn. */
export interface OpenAiProgram extends Program {
  /** Calls of the client's tools that ended the turn. */
  readonly calls: readonly ModelToolCall[];
}

interface ProgramOptions {
  body: OpenAiCompletion;
  /** The client's system prompt. */
  system: string;
  language: string;
}

/**
 * Adds the client's settings to a turn: its prompt after the app's, its tools in addition to ours, and the
 * response format. It never weakens the app's prompt or the access checks on skills.
 */
export function createOpenAiProgram({ body, system, language }: ProgramOptions): OpenAiProgram {
  const tools = getTools(body);
  const names = new Set(tools.map(({ name }) => name));
  const instructions = [system, formatInstructions(body), toolChoiceInstructions(body)].filter(
    (text) => text !== '',
  );
  const adjustedByAccess = new WeakMap<TurnAccess, TurnAccess>();
  let calls: readonly ModelToolCall[] = [];
  return {
    get calls() {
      return calls;
    },
    adjust: (access) => {
      const adjusted =
        adjustedByAccess.get(access) ?? adjust(access, { body, tools, instructions, language });
      adjustedByAccess.set(access, adjusted);
      return adjusted;
    },
    takeCalls: (made) => {
      // A call with unreadable arguments is no use to the client either: the model is told here.
      const own = made.filter(({ name, issue }) => issue || !names.has(name));
      // An activated skill may change how to call the client's tools, so our own calls run first.
      if (own.length === 0) {
        calls = made;
      }
      return own;
    },
  };
}

function adjust(
  access: TurnAccess,
  {
    body,
    tools,
    instructions,
    language,
  }: { body: OpenAiCompletion; tools: ModelTool[]; instructions: string[]; language: string },
): TurnAccess {
  const { app } = access;
  const requestedMax = body.max_completion_tokens ?? body.max_tokens;
  const limits = [app.tokenLimit, requestedMax ?? undefined].filter((limit) => limit !== undefined);
  const system = [localize(app.system, language), ...instructions].join('\n\n');
  if (tools.length > 0 && !access.usesTools) {
    throw problem('invalid-request', 'This model does not support tools. Choose another one.', {
      issues: [{ path: 'tools', code: 'invalid', message: 'This model does not support tools.' }],
    });
  }
  let offered: ReturnType<TurnAccess['offered']> | undefined;
  return {
    ...access,
    app: {
      ...app,
      system,
      ...(body.temperature == null ? {} : { preferredTemperature: body.temperature }),
      ...(limits.length === 0 ? {} : { tokenLimit: Math.min(...limits) }),
    },
    answerSchema: getAnswerSchema(body),
    offered: () => {
      if (!offered) {
        const before = access.offered();
        rejectNameConflicts(tools, before.tools);
        offered = { ...before, tools: [...before.tools, ...tools] };
      }
      return offered;
    },
  };
}

function rejectNameConflicts(tools: readonly ModelTool[], ownTools: readonly ModelTool[]): void {
  const taken = tools.find(({ name }) => ownTools.some((own) => own.name === name));
  if (taken) {
    const message = `A tool "${taken.name}" already exists here. Rename yours.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'tools', code: 'invalid', message }],
    });
  }
}

/** Tools that the model may call, according to `tool_choice`. */
function getTools({ tools, tool_choice: choice }: OpenAiCompletion): ModelTool[] {
  const offered = choice === 'none' ? [] : (tools ?? []);
  const wanted = typeof choice === 'object' ? choice?.function.name : undefined;
  const chosen = offered.filter(({ function: { name } }) => !wanted || name === wanted);
  if (wanted !== undefined && chosen.length === 0) {
    const message = `The request contains no tool "${wanted}".`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'tool_choice', code: 'invalid', message }],
    });
  }
  return chosen.map(modelTool);
}

function modelTool({ function: { name, description, parameters } }: OpenAiTool): ModelTool {
  const { schema, fault } = describeParameters(parameters ?? {});
  if (fault !== undefined) {
    const message = `The tool "${name}" cannot be used. ${fault}`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'tools', code: 'invalid', message }],
    });
  }
  return { name, description: description ?? '', parameters: schema };
}

/** Not all providers can force a tool call, so the prompt asks for it. */
function toolChoiceInstructions(body: OpenAiCompletion): string {
  const { tool_choice: choice } = body;
  const names = getTools(body).map(({ name }) => name);
  return choice === 'required' || typeof choice === 'object'
    ? `Answer by calling ${names.length === 1 ? `the tool ${names[0]}` : `one of these tools: ${names.join(', ')}`}. Other tools only help you to do so.`
    : '';
}

function formatInstructions({ response_format: format }: OpenAiCompletion): string {
  switch (format?.type) {
    case 'json_object':
      return 'Your answer is one JSON object and nothing else: no words around it, no code fence.';
    case 'json_schema': {
      const { schema = {} } = format.json_schema;
      return `Your answer is JSON and nothing else: no words around it, no code fence. It fits this schema:\n${JSON.stringify(schema)}`;
    }
    default:
      return '';
  }
}

/** Passed on only if `strict`: those schemas fit what providers support. */
function getAnswerSchema({
  response_format: format,
}: OpenAiCompletion): ModelRequest['answerSchema'] {
  if (format?.type !== 'json_schema') {
    return undefined;
  }
  const { name, schema, strict } = format.json_schema;
  return strict === true && schema?.type === 'object'
    ? { name: name.replaceAll('-', '_'), schema: schema as JsonSchemaObject }
    : undefined;
}
