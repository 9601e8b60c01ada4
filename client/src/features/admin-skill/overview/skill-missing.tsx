import { Problem } from '@knowhow/shared/problem';
import { skillBlocksApi } from '@knowhow/shared/skills/skill-blocks';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { useRight } from '../../../ui/rights.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { BlockNote } from '../settings/block-skill.tsx';
import { useRestore } from '../versions/use-restore.ts';

interface SkillMissingProps {
  name: string;
  error: unknown;
  onRetry: () => void;
}

/** Shown for a skill that does not exist or could not be loaded. */
export function SkillMissing({ name, error, onRetry }: SkillMissingProps) {
  const { t } = useTranslation();
  const isUnknown = error instanceof Problem && error.code === 'not-found';
  return (
    <PageFrame title={name} back={{ to: '/admin/skills', label: t('skillPage.back') }}>
      {isUnknown ? (
        <Unknown name={name} onRestored={onRetry} />
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
    </PageFrame>
  );
}

/** An unknown name; a deleted skill can be restored from its last version. */
function Unknown({ name, onRestored }: { name: string; onRestored: () => void }) {
  const { t } = useTranslation();
  const versions = useQuery(query(skillVersionsApi.list, { params: { skill: name } }));
  const state = useQuery(query(skillBlocksApi.get, { params: { name } }));
  const last = versions.data?.items.find(({ checksum }) => checksum !== undefined);
  const restoreVersion = useRestore(name);
  const restore = useMutation({
    mutationFn: (number: number) => restoreVersion({ number }),
    onSuccess: onRestored,
    onError: useErrorToast(),
  });
  const rest = useRef<HTMLDivElement>(null);
  const isManager = useRight('skills');
  const mayWrite = useRight('skills', 'skill-author');
  return (
    <>
      {state.data?.block && (
        <BlockNote
          skill={{ name, category: undefined }}
          block={state.data.block}
          onUnblocked={() => rest.current?.focus()}
        />
      )}
      <div ref={rest} tabIndex={-1}>
        <EmptyState
          title={t('skillPage.unknown', { name })}
          text={
            last
              ? t('skillPage.wasDeleted')
              : t(isManager ? 'skillPage.unknownText' : 'skillPage.unknownOrOther')
          }
        >
          {last && isManager && (
            <Button loading={restore.isPending} onClick={() => restore.mutate(last.number)}>
              {t('skillPage.bringBack')}
            </Button>
          )}
          <Button component={Link} to="/admin/skills" variant={last ? 'default' : 'filled'}>
            {t('skillPage.toList')}
          </Button>
          {!last && mayWrite && (
            <Button component={Link} to="/admin/skills/new" variant="default">
              {t('skillPage.writeNew')}
            </Button>
          )}
        </EmptyState>
      </div>
    </>
  );
}
