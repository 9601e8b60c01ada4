import { repositoryName, shortCommit } from '@knowhow/shared/skills/git-commit';
import { skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import { type SkillUpstream, skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { ErrorNote } from '../text/error-note.tsx';
import { useFormat } from '../text/use-format.ts';
import { revealHiddenCharacters } from '../text/visible-text.ts';
import { ProposeUpstream } from './propose-upstream.tsx';
import classes from './upstreams.module.css';

interface UpstreamsProps {
  items: readonly SkillUpstream[];
  /** The names in the rows: the sources of a skill, or the skills of a source. */
  names: 'sources' | 'skills';
}

/** A source may have thousands of skills. */
const pageSize = 50;

/** Skills and the sources that they were taken from. */
export function Upstreams({ items, names }: UpstreamsProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(pageSize);
  // One sentence for all skills of a source.
  const lacksCredentials = names === 'skills' && items.some(isUnproposable);
  return (
    <>
      {lacksCredentials && <p className={classes.note}>{t('upstreams.noCredentials')}</p>}
      <ul className={classes.list}>
        {items.slice(0, shown).map((upstream) => (
          <UpstreamRow key={`${upstream.source}/${upstream.name}`} {...{ upstream, names }} />
        ))}
      </ul>
      {items.length > shown && (
        <Button variant="subtle" mt={8} onClick={() => setShown(shown + pageSize)}>
          {t('action.showMore')}
        </Button>
      )}
    </>
  );
}

/** Whether only credentials are missing to propose changes of a skill. */
function isUnproposable({ isReadable, hasCredentials }: SkillUpstream): boolean {
  return isReadable && !hasCredentials;
}

interface UpstreamRowProps extends Pick<UpstreamsProps, 'names'> {
  upstream: SkillUpstream;
}

function UpstreamRow({ upstream, names }: UpstreamRowProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { source, name, localName = name, url, path, commit, detachedAt, isReadable } = upstream;
  const target =
    names === 'skills'
      ? `/admin/skills/${encodeURIComponent(localName)}`
      : `/admin/sources/${encodeURIComponent(source)}`;
  const shown = names === 'skills' ? localName : source;
  return (
    <li className={classes.row}>
      <div className={classes.facts}>
        {isReadable || names === 'skills' ? <Link to={target}>{shown}</Link> : <span>{shown}</span>}
        <code>
          {revealHiddenCharacters([repositoryName(url), path].filter(Boolean).join('/'))}
          {` @ ${shortCommit(commit)}`}
        </code>
        <span className={classes.state}>
          {detachedAt === undefined
            ? t('upstreams.follows')
            : t('upstreams.detached', { date: date(detachedAt) })}
          {!isReadable && ` ${t('upstreams.gone')}`}
        </span>
        {names === 'sources' && isUnproposable(upstream) && (
          <span className={classes.state}>{t('upstreams.noCredentials')}</span>
        )}
      </div>
      <div className={classes.actions}>
        {upstream.hasCredentials && isReadable && <ProposeUpstream upstream={upstream} />}
        {detachedAt === undefined ? <Detach upstream={upstream} /> : <Follow upstream={upstream} />}
      </div>
    </li>
  );
}

function useChange(upstream: SkillUpstream, kind: 'detach' | 'follow') {
  const queryClient = useQueryClient();
  const { ofSkill, ofSource } = skillUpstreamsApi;
  const { list, get, proposal } = skillSourcesApi;
  return useMutation({
    mutationFn: () =>
      call(skillUpstreamsApi[kind], { params: { id: upstream.source, name: upstream.name } }),
    onSuccess: () =>
      Promise.all(
        [ofSkill, ofSource, list, get, proposal].map((each) =>
          queryClient.invalidateQueries(endpointQueryFilter(each)),
        ),
      ),
  });
}

/** Detaches the skill after naming what that means. */
function Detach({ upstream }: { upstream: SkillUpstream }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const change = useChange(upstream, 'detach');
  const { source, name } = upstream;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('upstreams.detachName', { name })}
        onClick={() => setAsking(true)}
      >
        {t('upstreams.detach')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('upstreams.detachAsk', { name, source })}
        confirmLabel={t('upstreams.detach')}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => change.mutate(undefined, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      >
        {t('upstreams.detachAbout')}
      </ConfirmDialog>
    </>
  );
}

function Follow({ upstream }: { upstream: SkillUpstream }) {
  const { t } = useTranslation();
  const change = useChange(upstream, 'follow');
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('upstreams.followName', { name: upstream.name })}
        loading={change.isPending}
        onClick={() => change.mutate()}
      >
        {t('upstreams.follow')}
      </Button>
      {change.error && <ErrorNote error={change.error} />}
    </>
  );
}
