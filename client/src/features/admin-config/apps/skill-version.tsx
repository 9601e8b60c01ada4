import { Problem } from '@knowhow/shared/problem';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../../api/query.ts';
import { useRight } from '../../../ui/rights.ts';
import { PinDialog } from './pin-dialog.tsx';
import classes from './skill-version.module.css';

interface SkillVersionProps {
  /** Name of the skill. */
  name: string;
  /** The version to which the app pins it; undefined if the app follows the published one. */
  version: number | undefined;
  onChange: (version: number | undefined) => void;
}

/** The version of a skill that an app offers, with buttons to pin and to follow. */
export function SkillVersion({ name, version, onChange }: SkillVersionProps) {
  const { t } = useTranslation();
  const mayRead = useRight('skills');
  const [isChoosing, setChoosing] = useState(false);
  const pinButton = useRef<HTMLButtonElement>(null);
  return (
    <div className={classes.version}>
      {version === undefined ? (
        <span>{t('adminConfig.app.followsPublished')}</span>
      ) : (
        <PinnedVersion name={name} version={version} mayRead={mayRead} />
      )}
      {mayRead && (
        <>
          <Button
            ref={pinButton}
            variant="subtle"
            size="compact-xs"
            aria-label={t('adminConfig.app.pinVersionOf', { name })}
            onClick={() => setChoosing(true)}
          >
            {t('adminConfig.app.pinVersion')}
          </Button>
          <PinDialog
            name={name}
            version={version}
            opened={isChoosing}
            onClose={() => setChoosing(false)}
            onPin={onChange}
          />
        </>
      )}
      {version !== undefined && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={t('adminConfig.app.followOf', { name })}
          onClick={() => {
            onChange(undefined);
            // The pressed button disappears.
            pinButton.current?.focus();
          }}
        >
          {t('adminConfig.app.follow')}
        </Button>
      )}
    </div>
  );
}

interface PinnedVersionProps {
  name: string;
  version: number;
  /** Whether the user may read versions. */
  mayRead: boolean;
}

/** Says which version is pinned, whether another one is published, and what is wrong with the pin. */
function PinnedVersion({ name, version, mayRead }: PinnedVersionProps) {
  const { t } = useTranslation();
  const pinned = useQuery({
    ...query(skillVersionsApi.get, { params: { skill: name, number: version } }),
    enabled: mayRead,
  });
  const list = useQuery({
    ...query(skillVersionsApi.list, { params: { skill: name }, query: { limit: 1 } }),
    enabled: mayRead,
  });
  const newest = list.data?.items[0]?.number;
  const isMissing = pinned.error instanceof Problem && pinned.error.code === 'not-found';
  const { files = [], version: found } = pinned.data ?? {};
  const isIncomplete =
    (found && found.digest === undefined) || files.some((file) => file.isMissing);
  if (isMissing || isIncomplete) {
    return (
      <span className={classes.fault} role="alert">
        {isMissing
          ? t('adminConfig.app.pinBroken', { version })
          : t('adminConfig.app.pinIncomplete', { version })}
      </span>
    );
  }
  const isOutdated = found?.isCurrent === false && newest !== undefined;
  return (
    <>
      <span className={classes.pinned}>
        {newest === undefined
          ? t('adminConfig.app.pinned', { version })
          : t('adminConfig.app.pinnedOf', { version, newest })}
      </span>
      {isOutdated && (
        <Link
          to={`/admin/skills/${encodeURIComponent(name)}/versions?from=${version}&to=${newest}`}
        >
          {t('adminConfig.app.updateAvailable')}
        </Link>
      )}
    </>
  );
}
