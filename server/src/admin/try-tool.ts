import type { Caller } from '../access/caller.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { createSkillView } from '../skills/skill-view.ts';
import { type CallServices, runSourceTool } from '../tools/run-source-tool.ts';
import { findTool, type ToolAdmin } from './admin-tools.ts';

interface Trying extends ToolAdmin {
  skills: SkillStore;
  callServices: CallServices;
}

/** Calls a tool outside of any conversation: whoever tries it has consented, and is asked nothing. */
export async function tryTool(
  admin: Trying,
  name: string,
  { caller, input, signal }: { caller: Caller; input: unknown; signal: AbortSignal },
): Promise<{ content: string; isError: boolean; ms: number }> {
  const { callServices, contents, skills } = admin;
  const offered = await findTool(admin, name);
  const { apps, skills: config } = contents();
  const view = createSkillView({
    ...{ store: skills, config, grant: caller.permissions.skills, apps: [...apps.values()] },
  });
  const services = {
    ...callServices,
    consents: { ...callServices.consents, has: async () => true },
    questions: { open: async () => ({ expiresAt: '', answered: none }), answer: async () => false },
  };
  const call = { id: 'try', name, input };
  const running = {
    ...{ caller, view, signal, active: view.skills.map(({ id }) => id) },
    ...{ conversationId: '', emit: () => undefined },
  };
  const { result, ms } = await runSourceTool(offered, call, { running, services });
  return { content: result.content, isError: result.isError, ms: Math.round(ms) };
}

const none = Promise.resolve(undefined);
