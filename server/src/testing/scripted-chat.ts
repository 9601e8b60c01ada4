import type { Conversation } from '@knowhow/shared/chat/conversations';
import { afterEach } from 'vitest';
import type { ModelRequest } from '../modules/models/model.ts';
import { choosingModel, type ScriptedModel, type Step, scriptedModel } from './scripted-model.ts';
import { startTestServer, type TestServer, type Visitor } from './start-test-server.ts';
import { readConversation } from './take-turn.ts';
import type { Files } from './write-files.ts';

/** A server, its fake model, and a visitor; started by each test and closed afterwards. */
export interface ScriptedChat {
  server: TestServer;
  model: ScriptedModel;
  visitor: Visitor;
  /** @param script the model's steps, or a function that chooses the step for a request */
  start(script: Step[] | ((request: ModelRequest) => Step), files?: Files): Promise<void>;
  /** The text sent to the model, without its own messages and tools. */
  sent(request: number): string;
  /** A conversation as seen by the visitor. */
  conversation(id: string): Promise<Conversation>;
}

/** @param common files for every test, overridden by a test's own */
export function scriptedChat(common: Files = {}): ScriptedChat {
  let running: Pick<ScriptedChat, 'server' | 'model' | 'visitor'> | undefined;
  const now = () => {
    if (!running) {
      throw new Error('The test has not started its chat.');
    }
    return running;
  };
  afterEach(() => now().server.close());
  return {
    get server() {
      return now().server;
    },
    set server(server) {
      running = { ...now(), server };
    },
    get model() {
      return now().model;
    },
    get visitor() {
      return now().visitor;
    },
    start: async (script, files = {}) => {
      const model = Array.isArray(script) ? scriptedModel(...script) : choosingModel(script);
      const server = await startTestServer({ model: model.ask, files: { ...common, ...files } });
      running = { server, model, visitor: server.visitor() };
    },
    sent: (request) => {
      const { system = '', messages = [] } = now().model.requests[request] ?? {};
      const texts = messages.filter(({ role }) => role !== 'assistant').map((each) => each.content);
      return [system, ...texts].join('\n\n');
    },
    conversation: (id) => readConversation(now().visitor, id),
  };
}

export function eventTypes(events: readonly { type: string }[]): string[] {
  return events.map(({ type }) => type);
}
