import type { OpenAiCompletion, OpenAiTool } from '@knowhow/shared/chat/openai';
import { localize } from '@knowhow/shared/config/localized';
import { problem } from '@knowhow/shared/problem';
import type { Program } from '../chat/prepare-turn.ts';
import type { TurnAccess } from '../chat/turn-access.ts';
import type { JsonSchemaObject, ModelRequest, ModelTool, ModelToolCall } from '../models/model.ts';
import { describeParameters } from '../tools/describe-parameters.ts';

/** A program in a turn. */
export interface OpenAiProgram extends Program {
  /** The calls of its tools with which the turn has ended. */
  readonly calls: readonly ModelToolCall[];
}

interface Wanted {
  body: OpenAiCompletion;
  /** What it says to the model for all of the conversation. */
  system: string;
  language: string;
}

/**
 * Adds what a program brings to what a turn may use: its own prompt after the app's, its tools beside ours, the
 * form of the answer. It takes nothing away: the app's prompt and the one gate of skills hold.
 */
export function openAiProgram({ body, system, language }: Wanted): OpenAiProgram {
  const tools = toolsOf(body);
  const names = new Set(tools.map(({ name }) => name));
  const words = [system, formatWords(body), choiceWords(body)].filter((text) => text !== '');
  const known = new WeakMap<TurnAccess, TurnAccess>();
  let calls: readonly ModelToolCall[] = [];
  return {
    get calls() {
      return calls;
    },
    adjust: (access) => {
      const adjusted = known.get(access) ?? adjust(access, { body, tools, words, language });
      known.set(access, adjusted);
      return adjusted;
    },
    takeCalls: (made) => {
      // A call whose arguments cannot be read is no use to a program either: the model is told here.
      const own = made.filter(({ name, fault }) => fault || !names.has(name));
      // What a skill says may change how the program's tools are to be called: that comes first.
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
    words,
    language,
  }: { body: OpenAiCompletion; tools: ModelTool[]; words: string[]; language: string },
): TurnAccess {
  const { app } = access;
  const most = body.max_completion_tokens ?? body.max_tokens;
  const limits = [app.tokenLimit, most ?? undefined].filter((limit) => limit !== undefined);
  const system = [localize(app.system, language), ...words].join('\n\n');
  if (tools.length > 0 && !access.usesTools) {
    throw problem('invalid-request', 'This model takes no tools. Choose another one.', {
      issues: [{ path: 'tools', code: 'invalid', message: 'This model takes no tools.' }],
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
    answerSchema: schemaOf(body),
    offered: () => {
      if (!offered) {
        const before = access.offered();
        refuseTaken(tools, before.tools);
        offered = { ...before, tools: [...before.tools, ...tools] };
      }
      return offered;
    },
  };
}

function refuseTaken(tools: readonly ModelTool[], ours: readonly ModelTool[]): void {
  const taken = tools.find(({ name }) => ours.some((own) => own.name === name));
  if (taken) {
    const message = `A tool "${taken.name}" is offered here already. Give yours another name.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'tools', code: 'invalid', message }],
    });
  }
}

/** Those that the model may call, by what the program has chosen. */
function toolsOf({ tools, tool_choice: choice }: OpenAiCompletion): ModelTool[] {
  const offered = choice === 'none' ? [] : (tools ?? []);
  const wanted = typeof choice === 'object' ? choice?.function.name : undefined;
  const chosen = offered.filter(({ function: { name } }) => !wanted || name === wanted);
  if (wanted !== undefined && chosen.length === 0) {
    const message = `There is no tool "${wanted}" among those you sent.`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'tool_choice', code: 'invalid', message }],
    });
  }
  return chosen.map(modelTool);
}

function modelTool({ function: { name, description, parameters } }: OpenAiTool): ModelTool {
  const { schema, fault } = describeParameters(parameters ?? {});
  if (fault !== undefined) {
    const message = `The tool "${name}" cannot be put to a model. ${fault}`;
    throw problem('invalid-request', message, {
      issues: [{ path: 'tools', code: 'invalid', message }],
    });
  }
  return { name, description: description ?? '', parameters: schema };
}

/** Not all vendors can be made to call a tool: the model is told. */
function choiceWords(body: OpenAiCompletion): string {
  const { tool_choice: choice } = body;
  const names = toolsOf(body).map(({ name }) => name);
  return choice === 'required' || typeof choice === 'object'
    ? `Answer by calling ${names.length === 1 ? `the tool ${names[0]}` : `one of these tools: ${names.join(', ')}`}. Other tools only help you to do so.`
    : '';
}

function formatWords({ response_format: format }: OpenAiCompletion): string {
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

/** Who says that a schema is strict says that it is one which providers take. */
function schemaOf({ response_format: format }: OpenAiCompletion): ModelRequest['answerSchema'] {
  if (format?.type !== 'json_schema') {
    return undefined;
  }
  const { name, schema, strict } = format.json_schema;
  return strict === true && schema?.type === 'object'
    ? { name: name.replaceAll('-', '_'), schema: schema as JsonSchemaObject }
    : undefined;
}
