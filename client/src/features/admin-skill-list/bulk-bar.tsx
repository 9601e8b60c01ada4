import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Button, Menu, Progress } from '@mantine/core';
import {
  IconDownload,
  IconMinus,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
  IconX,
} from '@tabler/icons-react';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../api/query.ts';
import { buildUrl } from '../../api/request.ts';
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import classes from './bulk-bar.module.css';
import { DeleteDialog } from './delete-dialog.tsx';
import type { SkillFilters } from './skill-filters.ts';
import { pageSize, toSkillListQuery } from './skill-filters.ts';
import { SwitchOffDialog } from './switch-off-dialog.tsx';
import type { BulkProgress, Failure } from './use-bulk.ts';
import { type Target, useBulkActions } from './use-bulk-actions.ts';
import type { Selection } from './use-selection.ts';

/** From this number on, the page asks before it switches skills off. */
const manySkills = 20;

/** Maximum number of skills in one exported archive. */
const mostExported = 200;

interface BulkBarProps {
  selection: Selection;
  /** The filters of the list, across all pages. */
  shown: { filters: SkillFilters; total: number };
  names: Record<Target['kind'], { id: string; name: string }[]>;
}

/** Bulk actions on the selected skills, with progress and errors. */
export function BulkBar({ selection, shown, names }: BulkBarProps) {
  const { t } = useTranslation();
  const actions = useBulkActions(selection);
  const { skills } = selection;
  const isIdle = actions.progress === undefined;
  useFocusAfter(isIdle && skills.length > 0);
  if (isIdle && skills.length === 0 && actions.failures.length === 0) {
    return null;
  }
  return (
    <section className={classes.bar} aria-label={t('skillList.bulk')}>
      {actions.failures.length > 0 && (
        <Failures failures={actions.failures} onClose={actions.forget} />
      )}
      {actions.progress && (
        <div className={classes.progress}>
          <ProgressOf progress={actions.progress} />
        </div>
      )}
      {isIdle && skills.length > 0 && (
        <Actions selection={selection} shown={shown} names={names} actions={actions} />
      )}
    </section>
  );
}

function ProgressOf({ progress: { label, done, total } }: { progress: BulkProgress }) {
  const { t } = useTranslation();
  const isCounted = done !== undefined;
  return (
    <>
      <p role="status">
        {isCounted
          ? t('skillList.progress', { label, done, total })
          : t('skillList.together', { label, count: total })}
      </p>
      <Progress
        aria-label={label}
        value={isCounted ? (100 * done) / total : 100}
        animated={!isCounted}
      />
    </>
  );
}

interface ActionsProps extends BulkBarProps {
  actions: ReturnType<typeof useBulkActions>;
}

function Actions({ selection, shown, names, actions }: ActionsProps) {
  const { t } = useTranslation();
  const [isDeleting, setDeleting] = useState(false);
  const { skills } = selection;
  const removable = skills.filter(({ writable }) => writable);
  const isTooMany = skills.length > mostExported;
  const isChoosing = useIsMutating({ mutationKey: chooseAllKey }) > 0;
  const exported = { query: { names: skills.map(({ name }) => name).join(',') } };
  return (
    // The selection would otherwise cover only this page.
    <fieldset className={classes.actions} disabled={isChoosing}>
      <p className={classes.count} role="status">
        {t('skillList.chosen', { count: skills.length })}
        {isTooMany && ` · ${t('skillList.exportMost', { most: mostExported })}`}
      </p>
      <ChooseAll key={JSON.stringify(shown)} {...shown} selection={selection} />
      <Button
        variant="default"
        size="sm"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={() => actions.switchAll(skills, true)}
      >
        {t('skillList.switchOn')}
      </Button>
      <SwitchOffButton skills={skills} onSwitchOff={() => actions.switchAll(skills, false)} />
      <TargetMenu names={names} texts={assigning} Icon={IconPlus} onPick={actions.assign} />
      <TargetMenu names={names} texts={takingAway} Icon={IconMinus} onPick={actions.unassign} />
      <Button
        component="a"
        href={buildUrl(adminSkillsApi.exportMany, exported)}
        download
        variant="default"
        size="sm"
        disabled={isTooMany || isChoosing}
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('skillList.export')}
      </Button>
      <Button
        variant="default"
        size="sm"
        className={classes.delete}
        disabled={removable.length === 0}
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setDeleting(true)}
      >
        {t('skillList.delete')}
      </Button>
      <IconButton
        className={classes.clear}
        label={t('skillList.chooseNone')}
        icon={<IconX size={18} />}
        onClick={() => selection.replace([])}
      />
      <DeleteDialog
        opened={isDeleting}
        skills={removable}
        staying={skills.length - removable.length}
        names={names}
        onClose={() => setDeleting(false)}
        onConfirm={() => {
          setDeleting(false);
          void actions.remove(removable);
        }}
      />
    </fieldset>
  );
}

interface SwitchOffButtonProps {
  skills: AdminSkill[];
  onSwitchOff: () => unknown;
}

/** Switches skills off, after a question if they are many. */
function SwitchOffButton({ skills, onSwitchOff }: SwitchOffButtonProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const running = skills.filter(({ status }) => status === 'on');
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={() => (running.length < manySkills ? onSwitchOff() : setAsking(true))}
      >
        {t('skillList.switchOff')}
      </Button>
      <SwitchOffDialog
        opened={isAsking}
        skills={running}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          onSwitchOff();
        }}
      />
    </>
  );
}

const assigning = {
  button: 'skillList.assign',
  apps: 'skillList.toApp',
  groups: 'skillList.toGroup',
} as const;
const takingAway = {
  button: 'skillList.takeAway',
  apps: 'skillList.fromApp',
  groups: 'skillList.fromGroup',
} as const;

interface TargetMenuProps {
  names: BulkBarProps['names'];
  texts: typeof assigning | typeof takingAway;
  Icon: typeof IconPlus;
  onPick: (target: Target) => void;
}

function TargetMenu({ names, texts, Icon, onPick }: TargetMenuProps) {
  const { t } = useTranslation();
  const items = (kind: Target['kind']) =>
    names[kind].map(({ id, name }) => (
      <Menu.Item key={id} onClick={() => onPick({ kind, id, name })}>
        {name}
      </Menu.Item>
    ));
  return (
    <Menu position="top" classNames={{ dropdown: classes.targets }}>
      <Menu.Target>
        <Button variant="default" size="sm" leftSection={<Icon size={16} aria-hidden />}>
          {t(texts.button)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t(texts.apps)}</Menu.Label>
        {items('apps')}
        <Menu.Divider />
        <Menu.Label>{t(texts.groups)}</Menu.Label>
        {items('groups')}
      </Menu.Dropdown>
    </Menu>
  );
}

function Failures({ failures, onClose }: { failures: Failure[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.failures} role="alert">
      <div>
        <p>{t('skillList.failed', { count: failures.length })}</p>
        <ul>
          {failures.map(({ skill, message }) => (
            <li key={skill.location}>
              <strong>{skill.name}</strong> {message}
            </li>
          ))}
        </ul>
      </div>
      <IconButton label={t('action.close')} icon={<IconX size={18} />} onClick={onClose} />
    </div>
  );
}

/** Loading: it is not known yet which skills are selected. */
const chooseAllKey = ['choose-all'];

interface ChooseAllProps {
  filters: SkillFilters;
  total: number;
  selection: Selection;
}

/** Extends the selection to the other pages; renders nothing if there are none. */
function ChooseAll({ filters, total, selection }: ChooseAllProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { limit, ...request } = toSkillListQuery({ ...filters, page: 1 });
  const reading = useMutation({
    mutationKey: chooseAllKey,
    mutationFn: () =>
      queryClient.fetchQuery(
        allItems(adminSkillsApi.list, { query: request }, Number.POSITIVE_INFINITY),
      ),
    onSuccess: (skills) => selection.set(skills, true),
    onError: showError,
  });
  if (total <= pageSize || reading.isSuccess) {
    return null;
  }
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={reading.isPending}
      onClick={() => reading.mutate()}
    >
      {t('skillList.chooseTotal', { count: total })}
    </Button>
  );
}
