import { callWithoutConversation, type ModelList } from '../chat/index.ts';
import type { Caller, TurnUsage } from '../identity/index.ts';
import { createSkillView, offerTest, type SkillStore } from '../skills/index.ts';
import type { CallServices } from '../tools/index.ts';
import { findTool, type ToolAdmin } from './settings/admin-tools.ts';

interface Trying extends ToolAdmin {
  skills: SkillStore;
  callServices: CallServices;
  models: ModelList;
  takeTurn?: ((caller: Caller) => Promise<TurnUsage>) | undefined;
}

/**
 * Calls a tool outside of a conversation. Trying it counts as consent. Its steps may call every
 * enabled tool. Its model requests go to the first model of an app that offers its skill.
 */
export async function tryTool(
  admin: Trying,
  name: string,
  { caller, input, signal }: { caller: Caller; input: unknown; signal: AbortSignal },
): Promise<{ content: string; isError: boolean; ms: number }> {
  const { callServices, contents, skills, toolbox } = admin;
  const offered = await findTool(admin, name);
  const { apps, skills: config } = contents();
  const all = [...apps.values()].filter(({ enabled }) => enabled);
  const view = createSkillView({
    store: skills,
    config,
    grant: caller.permissions.skills,
    groups: caller.groups,
    apps: all,
  });
  const toolSkills = offered.tool.skills ?? [];
  const usable = all.filter((app) => admin.models.usable(caller.permissions, app).length > 0);
  const app =
    usable.find((each) =>
      toolSkills.some((id) => offerTest([each])({ name: id, global: false })),
    ) ?? usable[0];
  const known = await toolbox.listAll();
  const isOn = (id: string) => contents().tools.sources?.[id]?.enabled !== false;
  const others = known.filter(
    ({ isEnabled, schemaIssue, source }) =>
      isEnabled && schemaIssue === undefined && isOn(source.id),
  );
  const consents = { ...callServices.consents, has: async () => true };
  const { result, ms } = await callWithoutConversation(
    offered,
    input,
    { caller, app, view, others, signal },
    { ...admin, callServices: { ...callServices, consents } },
  );
  return { content: result.content, isError: result.isError, ms: Math.round(ms) };
}
