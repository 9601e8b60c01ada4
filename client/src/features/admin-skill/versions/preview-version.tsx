import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import { useOverride } from '../../../ui/checks/use-override.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { GroupChoice } from '../../../ui/forms/group-choice.tsx';
import { useRight } from '../../../ui/rights.ts';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useGroupNames } from '../../../ui/text/use-group-names.ts';
import classes from './preview-version.module.css';

interface PreviewButtonProps {
  skill: AdminSkillDetail;
  number: number;
}

/** Offers a version to members of groups instead of the published one. */
export function PreviewButton({ skill, number }: PreviewButtonProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [groups, setGroups] = useState<string[]>([]);
  const override = useOverride();
  const preview = usePreview(skill.name);
  const running = skill.preview;

  function open() {
    setGroups(running?.version === number ? running.groups : []);
    setAsking(true);
  }

  function close() {
    setAsking(false);
    preview.reset();
    override.reset();
  }

  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('skillPage.previewVersion', { number })}
        onClick={open}
      >
        {t('skillPage.preview')}
      </Button>
      <ConfirmDialog
        title={t('skillPage.previewTitle', { number })}
        opened={isAsking}
        onClose={close}
        onConfirm={() =>
          preview.mutate(
            { number, groups, reason: override.reason },
            { onSuccess: close, onError: override.onError },
          )
        }
        confirmLabel={t('skillPage.startPreview')}
        isBusy={preview.isPending}
        isReady={groups.length > 0 && override.isReady}
        error={preview.error}
      >
        <GroupChoice
          label={t('skillPage.previewGroups')}
          description={t('skillPage.previewText')}
          value={groups}
          onChange={setGroups}
        />
        {running && running.version !== number && (
          <p>{t('skillPage.previewReplaces', { number: running.version })}</p>
        )}
        {override.field}
      </ConfirmDialog>
    </>
  );
}

interface PreviewNoteProps {
  skill: AdminSkillDetail;
  /** Called when the preview has ended. The note disappears: the focus needs another place. */
  onEnded: () => void;
}

/** Says which version is in preview and who gets it; ends the preview. */
export function PreviewNote({ skill: { name, preview }, onEnded }: PreviewNoteProps) {
  const { t, i18n } = useTranslation();
  const groupNames = useGroupNames();
  const showError = useErrorToast();
  const end = usePreview(name);
  const isManager = useRight('skills');
  if (!preview) {
    return null;
  }
  const { version: number, groups } = preview;
  const list = new Intl.ListFormat(i18n.language);
  return (
    <div className={classes.note} role="note">
      <IconEye size={18} aria-hidden />
      <p>
        {t('skillPage.inPreview', {
          number,
          groups: list.format(groups.map((id) => groupNames.get(id) ?? id)),
        })}
      </p>
      {isManager && (
        <Button
          variant="default"
          size="xs"
          loading={end.isPending}
          onClick={() =>
            end.mutate({ number, groups: [] }, { onSuccess: onEnded, onError: showError })
          }
        >
          {t('skillPage.endPreview')}
        </Button>
      )}
    </div>
  );
}

interface PreviewRequest {
  number: number;
  groups: string[];
  /** Why required checks that fail are overridden. */
  reason?: string | undefined;
}

/** Starts a preview of a version; without groups, ends it. */
function usePreview(skill: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ number, groups, reason }: PreviewRequest) =>
      call(skillVersionsApi.preview, {
        params: { skill, number },
        body: { groups, ...(reason === undefined ? {} : { override: { reason } }) },
      }),
    onSuccess: () => refreshSkills(queryClient),
  });
}
