import {
  adminSettingsApi,
  type Settings,
  type SettingsFile,
} from '@knowhow/shared/config/admin-settings';
import { platformConfigSchema } from '@knowhow/shared/config/platform';
import { checkLevels, configurableChecks } from '@knowhow/shared/skills/check-settings';
import { skillSettingsSchema } from '@knowhow/shared/skills/skills-config';
import { Skeleton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { checkLevelTexts, checkTexts } from '../../../ui/checks/check-texts.ts';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import { ChoiceField } from '../choice-field.tsx';
import { DetailsPanel } from '../facts.tsx';
import type { IdChoice } from '../ids-field.tsx';
import { DraftContext } from '../items/draft-context.ts';
import { EditorBody } from '../items/editor-body.tsx';
import { useFollowItem } from '../items/use-follow-item.ts';
import { useItemDraft } from '../items/use-item-draft.ts';
import { type ItemStore, useSaveItem } from '../items/use-save-item.ts';
import { SwitchField } from '../switch-field.tsx';
import { useChoices } from '../use-choices.ts';
import { CategoryPolicies } from './category-policies.tsx';
import classes from './file-only.module.css';
import { PlatformFields } from './platform-fields.tsx';
import { SettingField } from './setting-field.tsx';
import { SettingsContext, useEnvironment } from './settings-context.ts';
import { SettingsSection } from './settings-section.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import { TriggerSchedule } from './trigger-schedule.tsx';

/** The settings of the installation. */
export function SettingsPage({ file }: { file: SettingsFile }) {
  const { t } = useTranslation();
  const settings = useQuery(query(adminSettingsApi.get, { params: { id: file } }));
  if (settings.data) {
    return <SettingsEditor key={file} settings={settings.data} />;
  }
  return (
    <PageFrame title={t('adminPages.settings')} description={t('settings.about')}>
      <SettingsTabs page={file} />
      {settings.error ? (
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <Skeleton height={320} role="status" aria-label={t('state.loading')} />
      )}
    </PageFrame>
  );
}

const schemas = { platform: platformConfigSchema, skills: skillSettingsSchema } as const;

function SettingsEditor({ settings }: { settings: Settings }) {
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
          <SettingsTabs page={id} />
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

/** Tabs of the settings. */
/** Whether saving a skill publishes it. */
function PublishingMode() {
  const { t } = useTranslation();
  return (
    <ChoiceField
      path="publishing.mode"
      label={t('settings.fields.publishing.mode')}
      description={t('settings.fields.publishing.modeAbout')}
      choices={[
        { value: 'direct', label: t('settings.publishingModes.direct') },
        { value: 'review', label: t('settings.publishingModes.review') },
      ]}
    />
  );
}

/** Whether an edit in the file system counts at once. */
function FolderEdits() {
  const { t } = useTranslation();
  return (
    <ChoiceField
      path="publishing.files"
      label={t('settings.fields.publishing.files')}
      description={t('settings.fields.publishing.filesAbout')}
      choices={[
        { value: 'direct', label: t('settings.folderEdits.direct') },
        { value: 'review', label: t('settings.folderEdits.review') },
      ]}
    />
  );
}

/** The level of each check of a draft. */
function PublicationChecks({ models }: { models: IdChoice[] | undefined }) {
  const { t } = useTranslation();
  const fields = configurableChecks.map((id) => [
    `publishing.checks.${id}`,
    <CheckLevel key={id} id={id} />,
  ]);
  return (
    <SettingsSection
      title={t('settings.checks')}
      description={t('settings.checksAbout')}
      fields={['publishing.checks', 'publishing.triggerTests']}
      special={{
        ...Object.fromEntries(fields),
        'publishing.triggerTests.models': (
          <SettingField path="publishing.triggerTests.models" choices={models} />
        ),
      }}
    />
  );
}

function CheckLevel({ id }: { id: (typeof configurableChecks)[number] }) {
  const { t } = useTranslation();
  return (
    <ChoiceField
      path={`publishing.checks.${id}`}
      label={t(checkTexts[id].name)}
      description={t(checkTexts[id].about)}
      choices={checkLevels.map((value) => ({ value, label: t(checkLevelTexts[value]) }))}
    />
  );
}

/** Settings of all skills. */
function SkillFields() {
  const { t } = useTranslation();
  const models = useChoices('models');
  const scripts = useEnvironment('allowScriptExecution');
  return (
    <>
      <SettingsSection
        title={t('settings.catalogue')}
        inRows
        fields={[
          'catalogTokenBudget',
          'maxSkillsPerRequest',
          'maxSkillBodyTokens',
          'routerModel',
          'translateTools',
          'versions',
          'bin',
        ]}
        special={{
          routerModel: (
            <SettingField path="routerModel" choices={models} nothing={t('settings.sameModel')} />
          ),
        }}
      />
      <SettingsSection
        title={t('settings.publishing')}
        inRows
        fields={['publishing.mode', 'publishing.fourEyes', 'publishing.files']}
        special={{ 'publishing.mode': <PublishingMode />, 'publishing.files': <FolderEdits /> }}
      />
      <PublicationChecks models={models} />
      <CategoryPolicies />
      <TriggerSchedule models={models} />
      <SettingsSection
        title={t('settings.scripts')}
        fields={['allowScriptExecution']}
        special={
          scripts && {
            allowScriptExecution: (
              <SwitchField
                path="allowScriptExecution"
                label={t('settings.fields.allowScriptExecution')}
                description={t('settings.scriptsOff')}
                isDisabled
              />
            ),
          }
        }
      />
    </>
  );
}
