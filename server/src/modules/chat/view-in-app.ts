import type { Contents } from '../content/index.ts';
import { type Caller, getSkillOwner } from '../identity/index.ts';
import { createSkillView, type SkillStore, type SkillView } from '../skills/index.ts';
import { visibleApps } from './find-app.ts';

/** The skills that a caller currently sees in an app; undefined if they cannot open the app. */
export function viewInApp(
  caller: Caller,
  appId: string,
  { contents, skills: store }: { contents: () => Contents; skills: SkillStore },
): SkillView | undefined {
  const state = contents();
  const app = visibleApps(caller, state).find(({ id }) => id === appId);
  const grant = caller.permissions.skills;
  const { groups } = caller;
  const owner = getSkillOwner(caller);
  return app && createSkillView({ store, config: state.skills, grant, groups, owner, apps: [app] });
}
