import type { SettingsFile } from '@knowhow/shared/config/admin-settings';
import { adminSettingsApi, type Settings } from '@knowhow/shared/config/admin-settings';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { skillSettingsSchema } from '@knowhow/shared/skills/skills-config';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import { DetailsPanel } from '../facts.tsx';
import { DraftContext } from '../items/draft-context.ts';
import { EditorBody } from '../items/editor-body.tsx';
import { useFollowItem } from '../items/use-follow-item.ts';
import { useItemDraft } from '../items/use-item-draft.ts';
import { type ItemStore, useSaveItem } from '../items/use-save-item.ts';
import classes from './file-only.module.css';
import { PlatformFields } from './platform-fields.tsx';
import { SettingsContext } from './settings-context.ts';
import { SettingsTabs } from './settings-tabs.tsx';
import { SkillFields } from './skill-fields.tsx';

const schemas = { platform: platformConfigSchema, skills: skillSettingsSchema } as const;

export function SettingsEditor({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const { id } = settings;
  const source = { key: 'settings', schema: schemas[id], hasId: false };
  const draft = useItemDraft(source, settings);
  const saving = useSaveItem(draft, useSettingsStore(settings));
  const warning = useUnsavedWarning(draft.isDirty, draft.forget);
  useHotkeys([['mod+S', saving.save]], []);
  useFollowItem({ initial: settings, draft, saving });
  return (
    <DraftContext value={draft}>
      <SettingsContext value={settings.environment}>
        <PageFrame title={t('adminPages.settings')} description={t('settings.about')}>
          <SettingsTabs file={id} />
          <EditorBody saving={saving} facts={<FileOnly file={id} />}>
            {id === 'platform' ? <PlatformFields /> : <SkillFields />}
          </EditorBody>
          {warning.question}
        </PageFrame>
      </SettingsContext>
    </DraftContext>
  );
}

/** Reads and writes the settings. */
function useSettingsStore({ id }: Settings): ItemStore {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const input = { params: { id } };
  const { queryKey } = query(adminSettingsApi.get, input);
  return {
    newest: { queryKey, queryFn: () => call(adminSettingsApi.get, input) },
    put: async (config, checksum) => {
      const saved = await call(
        adminSettingsApi.put,
        { ...input, body: config },
        { ifMatch: checksum },
      );
      queryClient.setQueryData(queryKey, saved);
      // Settings affect other pages, too.
      void queryClient.invalidateQueries();
      return saved;
    },
    name: t(id === 'platform' ? 'settings.platform' : 'settings.skills'),
  };
}

/** Settings that cannot be changed here, and why. */
function FileOnly({ file }: { file: SettingsFile }) {
  const { t } = useTranslation();
  return (
    <DetailsPanel title={t('settings.elsewhere')}>
      <dl className={classes.list}>
        {reasons[file].map(([field, reason]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{t(reason)}</dd>
          </div>
        ))}
      </dl>
    </DetailsPanel>
  );
}

const environment = ['.env', 'settings.why.environment'] as const;

const reasons = {
  platform: [
    ['oidcAuth, proxyAuth', 'settings.why.signIn'],
    ['localAuth.enabled', 'settings.why.passwords'],
    ['placeholders', 'settings.why.placeholders'],
    environment,
  ],
  skills: [['skillsDirectory, sources', 'settings.why.folders'], environment],
} as const satisfies Record<SettingsFile, readonly (readonly [string, string])[]>;
