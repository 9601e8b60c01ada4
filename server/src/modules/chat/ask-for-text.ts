import type { AskModel, ModelMessage, ModelRequest } from '../models/index.ts';
import type { ListedModel } from './model-list.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import type { TurnAccess } from './turn-access.ts';
import { type ModelStep, noteModel } from './turn-steps.ts';

interface Question {
  purpose: Exclude<ModelStep['purpose'], 'answer'>;
  /** Ids of the skills to choose from. */
  candidates?: readonly string[];
  access: TurnAccess;
  asked: { model: ListedModel; ask: AskModel };
  system: string;
  messages: readonly ModelMessage[];
  maxOutputTokens: number;
  temperature?: number;
  answerSchema?: ModelRequest['answerSchema'];
  signal: AbortSignal;
}

/** Sends a model a side request without tools and returns all the text it writes. Rethrows the model's errors. */
export async function askForText(
  turn: PreparedTurn,
  { purpose, candidates, access, asked, signal, messages, ...rest }: Question,
): Promise<string> {
  const request: ModelRequest = { ...rest, messages: [...messages], tools: [] };
  const { config } = asked.model;
  const note = noteModel(turn, { purpose, candidates, config, access, request });
  try {
    for await (const event of asked.ask(request, signal)) {
      note.take(event);
    }
    return note.step.text;
  } catch (error) {
    note.step.error = error;
    throw error;
  } finally {
    note.end();
  }
}
