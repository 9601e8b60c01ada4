import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { Rows } from '../rows.tsx';
import tabClasses from '../skill-tab.module.css';
import { PromptEditor } from './prompt-editor.tsx';
import { RunForm } from './run-form.tsx';
import { RunResults } from './run-results.tsx';
import { usePromptDrafts } from './use-prompt-drafts.ts';
import { useRun } from './use-run.ts';

/** Trigger tests: whether models activate a skill for given prompts, with runs and results. */
export function TriggersTab({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const params = { name: skill.name };
  const loaded = useQuery(query(triggerTestsApi.prompts, { params }));
  const drafts = usePromptDrafts(skill.name, loaded.data);
  const run = useRun(skill.name);
  return (
    <div className={tabClasses.tab}>
      <Section title={t('triggers.prompts')} text={t('triggers.promptsText')}>
        <LoadError queries={[loaded]} />
        {loaded.isPending && <Rows />}
        {loaded.data && (
          <PromptEditor
            stored={loaded.data}
            drafts={drafts}
            isWritable={skill.writable}
            onReload={() => void loaded.refetch()}
          />
        )}
      </Section>
      {loaded.data && (
        <Section title={t('triggers.run')} text={t('triggers.runText')}>
          <RunForm skill={skill} prompts={drafts.prompts} run={run} />
        </Section>
      )}
      <RunResults skill={skill} running={run.current} />
    </div>
  );
}
