import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillBlocksApi } from '@knowhow/shared/skills/skill-blocks';
import { Button, Checkbox } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { useSkillRight } from '../../../ui/rights.ts';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import classes from './danger-zone.module.css';

type Given = { reason: string; tellUsers: boolean };
const maxReason = 1000;

/** Stops a skill everywhere at once, after saying whom that affects; ends its block. */
export function BlockSkill({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [given, setGiven] = useState<Given>({ reason: '', tellUsers: false });
  const { block, unblock } = useBlock(skill.name);
  const showUndo = useUndoToast();
  const reason = given.reason.trim();

  function ask() {
    setGiven({ reason: '', tellUsers: false });
    setAsking(true);
  }

  function close() {
    setAsking(false);
    block.reset();
  }

  function onConfirm() {
    block.mutate(
      { ...given, reason },
      {
        onSuccess: () => {
          close();
          showUndo({
            message: t('skillPage.nowBlocked', { name: skill.displayName }),
            undo: () => unblock.mutateAsync(),
          });
        },
      },
    );
  }

  return (
    <div className={classes.zone}>
      <p>{skill.block ? t('skillPage.isBlocked') : t('skillPage.blockText')}</p>
      {/* One button for both, so that it keeps the focus. */}
      <Button
        variant="default"
        className={skill.block ? undefined : classes.delete}
        leftSection={<IconBan size={16} aria-hidden />}
        loading={unblock.isPending}
        onClick={skill.block ? () => unblock.mutate() : ask}
      >
        {skill.block ? t('skillPage.unblock') : t('skillPage.block')}
      </Button>
      <ConfirmDialog
        title={t('skillPage.blockTitle', { name: skill.displayName })}
        opened={isAsking}
        onClose={close}
        onConfirm={onConfirm}
        confirmLabel={t('skillPage.block')}
        isBusy={block.isPending}
        isReady={reason !== ''}
        error={block.error}
      >
        <Affected skill={skill} />
        <LimitedTextarea
          label={t('skillPage.blockReason')}
          value={given.reason}
          onChange={({ currentTarget: { value } }) =>
            setGiven((now) => ({ ...now, reason: value }))
          }
          maxLength={maxReason}
          rows={3}
          required
          data-autofocus
        />
        <Checkbox
          mt="xs"
          label={t('skillPage.tellUsers')}
          checked={given.tellUsers}
          onChange={({ currentTarget: { checked } }) =>
            setGiven((now) => ({ ...now, tellUsers: checked }))
          }
        />
      </ConfirmDialog>
    </div>
  );
}

/** Lists the effects of a block, and the apps and groups that it concerns. */
function Affected({ skill }: { skill: AdminSkillDetail }) {
  const { name, apps } = skill;
  const { t, i18n } = useTranslation();
  const { number } = useFormat();
  const list = new Intl.ListFormat(i18n.language);
  const state = useQuery(query(skillBlocksApi.get, { params: { name } }));
  const uses = state.data?.uses;
  return (
    <>
      <p>{t('skillPage.blockStops')}</p>
      <ul>
        <li>
          {apps.length > 0
            ? t('skillPage.blockApps', { apps: list.format(apps) })
            : t('skillPage.noApps')}
        </li>
        <GroupsOf skill={skill} />
        {uses !== undefined && (
          <li>{t('skillPage.blockUses', { count: uses, formatted: number(uses) })}</li>
        )}
      </ul>
      <p>{t('skillPage.blockKeeps')}</p>
    </>
  );
}

/** A list item with the groups that may use a skill. */
export function GroupsOf({ skill: { groups } }: { skill: AdminSkillDetail }) {
  const { t, i18n } = useTranslation();
  const list = new Intl.ListFormat(i18n.language);
  return (
    <li>
      {groups.length > 0
        ? t('skillPage.lostGroups', { groups: list.format(groups) })
        : t('skillPage.noGroups')}
    </li>
  );
}

interface BlockNoteProps {
  skill: Pick<AdminSkillDetail, 'name' | 'category'>;
  block: Block;
  /** Called when the block is ended. The note disappears: the focus needs another place. */
  onUnblocked: () => void;
}

/** Says that a skill is blocked, why, by whom and since when; ends the block. */
export function BlockNote({ skill: { name, category }, block, onUnblocked }: BlockNoteProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const mayBlock = useSkillRight('block', category);
  const { unblock } = useBlock(name);
  const { reason, by, at, tellUsers } = block;
  const since = at === undefined ? undefined : date(at);
  return (
    <div className={classes.note} role="note">
      <IconBan size={18} aria-hidden />
      <div className={classes.noteText}>
        <p>
          {by !== undefined && since !== undefined
            ? t('skillPage.blockedBy', { by, since })
            : t('skillPage.isBlocked')}
        </p>
        <p>{reason}</p>
        <p className={classes.small}>
          {tellUsers ? t('skillPage.usersRead') : t('skillPage.usersReadOnlyThat')}
        </p>
      </div>
      {mayBlock && (
        <Button
          variant="default"
          size="xs"
          loading={unblock.isPending}
          onClick={() => unblock.mutateAsync().then(onUnblocked, ignoreShown)}
        >
          {t('skillPage.unblock')}
        </Button>
      )}
    </div>
  );
}

/** A failure is shown by a toast. */
function ignoreShown() {}

type Block = NonNullable<AdminSkillDetail['block']>;

/** Mutations that block and unblock a skill, and refresh what shows it. */
function useBlock(name: string) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const params = { name };
  const refresh = async () => {
    await Promise.all([
      refreshSkills(queryClient),
      queryClient.invalidateQueries(query(skillBlocksApi.get, { params })),
    ]);
  };
  return {
    block: useMutation({
      mutationFn: (body: Given) => call(skillBlocksApi.put, { params, body }),
      onSuccess: refresh,
    }),
    unblock: useMutation({
      mutationFn: () => call(skillBlocksApi.remove, { params }),
      onSuccess: refresh,
      onError: showError,
    }),
  };
}
