import type { Plugin } from '@knowhow/shared/skills/plugins';
import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import rowClasses from '../../ui/layout/switch-row.module.css';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import { TrustBadge } from '../../ui/layout/trust-badge.tsx';
import { UnsupportedParts } from '../../ui/layout/unsupported-parts.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import classes from './plugin-list.module.css';
import { pluginsQuery, useChangePlugin, useDeletePlugin } from './plugins-query.ts';

/** The plugins, with their settings. */
export function PluginList() {
  const { t } = useTranslation();
  const list = useQuery(pluginsQuery);
  const plugins = list.data?.plugins ?? [];
  return (
    <PageFrame title={t('adminPages.plugins')} description={t('plugins.about')}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={240} />
        </div>
      )}
      {list.data && plugins.length === 0 && (
        <>
          <EmptyState title={t('plugins.emptyTitle')} text={t('plugins.emptyText')} />
          <p className={classes.how}>
            <Trans i18nKey="plugins.emptyHow" components={{ code: <code /> }} />
          </p>
        </>
      )}
      <div className={classes.plugins}>
        {plugins.map((plugin) => (
          <PluginCard key={plugin.id} plugin={plugin} />
        ))}
      </div>
    </PageFrame>
  );
}

/** A plugin: its contents and its settings. */
function PluginCard({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation();
  const id = useId();
  const { name, enabled, fault, left, skills } = plugin;
  const isUsable = fault === undefined && skills.length > 0;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{revealHiddenCharacters(name)}</h2>
        {name !== plugin.id && <code>{plugin.id}</code>}
        <StatusBadge status={isUsable ? (enabled ? 'on' : 'off') : 'broken'} />
        <TrustBadge plugin={plugin} />
        <DeletePlugin plugin={plugin} />
      </div>
      {fault !== undefined && (
        <p className={classes.fault}>
          {t('plugins.fault')} {revealHiddenCharacters(fault)}
        </p>
      )}
      <Skills plugin={plugin} />
      {left.length > 0 && (
        <div className={classes.left}>
          <Expander summary={t('plugins.left', { count: left.length })}>
            <UnsupportedParts left={left} />
          </Expander>
        </div>
      )}
      <Switches plugin={plugin} />
    </section>
  );
}

const shownSkills = 12;

function Skills({ plugin: { name, skills, fault } }: { plugin: Plugin }) {
  const { t } = useTranslation();
  const more = skills.length - shownSkills;
  if (skills.length === 0) {
    return (
      fault === undefined && (
        <p className={classes.none}>
          {t('plugins.noSkills')}{' '}
          <Link to="/admin/skills?source=plugin&status=broken">{t('plugins.broken')}</Link>
        </p>
      )
    );
  }
  return (
    <ul
      className={classes.skills}
      aria-label={t('plugins.skills', { name: revealHiddenCharacters(name) })}
    >
      {skills.slice(0, shownSkills).map((skill) => (
        <li key={skill.name}>
          <Link to={`/admin/skills/${encodeURIComponent(skill.name)}`}>{skill.name}</Link>
        </li>
      ))}
      {more > 0 && <li>{t('plugins.more', { count: more })}</li>}
    </ul>
  );
}

function Switches({ plugin }: { plugin: Plugin }) {
  const { t } = useTranslation();
  const { mutateAsync, isPending, variables } = useChangePlugin(plugin);
  const showUndo = useUndoToast();
  const { enabled, trusted } = plugin;
  const name = revealHiddenCharacters(plugin.name);
  const shown = { enabled, trusted, ...(isPending ? variables : {}) };

  function change(key: 'enabled' | 'trusted', isOn: boolean, message: string) {
    const undo = () => mutateAsync({ [key]: !isOn });
    // The caller reports errors.
    mutateAsync({ [key]: isOn }).then(
      () => showUndo({ message, undo }),
      () => undefined,
    );
  }

  return (
    <>
      <SwitchRow
        label={t('plugins.use')}
        text={t('plugins.useText')}
        checked={shown.enabled}
        onChange={(isOn) =>
          change('enabled', isOn, t(isOn ? 'plugins.isOn' : 'plugins.isOff', { name }))
        }
      />
      <SwitchRow
        label={t('plugins.trust')}
        text={t('plugins.trustText')}
        checked={shown.trusted}
        onChange={(isOn) =>
          change('trusted', isOn, t(isOn ? 'plugins.nowTrusted' : 'plugins.notTrusted', { name }))
        }
      />
      <EverywhereRow plugin={plugin} />
    </>
  );
}

/** Skills that request to be offered in every app; renders nothing if there are none. */
function EverywhereRow({ plugin }: { plugin: Plugin }) {
  const { t, i18n } = useTranslation();
  const { mutate, isPending } = useChangePlugin(plugin);
  const asking = plugin.skills.filter(({ wantsEverywhere }) => wantsEverywhere);
  const waiting = asking.filter(({ isEverywhere }) => !isEverywhere);
  if (asking.length === 0) {
    return null;
  }
  const named = (waiting.length > 0 ? waiting : asking).map(({ name }) => name);
  const skills = new Intl.ListFormat(i18n.language).format(named);
  const message = t('plugins.agreed', { name: revealHiddenCharacters(plugin.name) });
  return (
    <div className={rowClasses.row}>
      <div className={rowClasses.words}>
        <div className={rowClasses.label}>{t('plugins.everywhere')}</div>
        <div className={rowClasses.text}>
          {waiting.length > 0
            ? t('plugins.wants', { skills })
            : t('plugins.isEverywhere', { skills })}
        </div>
      </div>
      {waiting.length > 0 && (
        <Button
          variant="default"
          size="sm"
          loading={isPending}
          onClick={() =>
            mutate({ everywhere: true }, { onSuccess: () => void notifications.show({ message }) })
          }
        >
          {t('plugins.agree')}
        </Button>
      )}
    </div>
  );
}

/** Deletes a plugin after confirmation. */
function DeletePlugin({ plugin }: { plugin: Plugin }) {
  const { t, i18n } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeletePlugin(plugin);
  const { id, skills } = plugin;
  const name = revealHiddenCharacters(plugin.name);
  const names = new Intl.ListFormat(i18n.language).format(skills.map((skill) => skill.name));

  function close() {
    setAsking(false);
    remove.reset();
  }

  return (
    <>
      <Button
        className={classes.delete}
        variant="default"
        size="xs"
        aria-label={t('plugins.deleteOf', { name })}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('plugins.delete')}
      </Button>
      <ConfirmDialog
        title={t('plugins.deleteTitle', { name })}
        opened={isAsking}
        onClose={close}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void notifications.show({ message: t('plugins.deleted', { name }) }),
          })
        }
        confirmLabel={t('plugins.deletePlugin')}
        typed={id}
        error={remove.error}
        isBusy={remove.isPending}
      >
        <p>{t('plugins.losses')}</p>
        <ul>
          <li>
            <Trans i18nKey="plugins.lostFolder" values={{ id }} components={{ code: <code /> }} />
          </li>
          {skills.length > 0 && (
            <li>{t('plugins.lostSkills', { count: skills.length, skills: names })}</li>
          )}
          <li>{t('plugins.lostDecision')}</li>
        </ul>
        <p>{t('plugins.keeps')}</p>
      </ConfirmDialog>
    </>
  );
}
