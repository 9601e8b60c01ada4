import type { Plugin } from '@knowhow/shared/skills/plugins';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Expander } from '../../ui/layout/expander.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import { TrustBadge } from '../../ui/layout/trust-badge.tsx';
import { UnsupportedParts } from '../../ui/layout/unsupported-parts.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { DeletePlugin } from './delete-plugin.tsx';
import { EverywhereRow } from './everywhere-row.tsx';
import classes from './plugin-list.module.css';
import { useChangePlugin } from './plugins-query.ts';

/** A plugin: its contents and its settings. */
export function PluginCard({ plugin }: { plugin: Plugin }) {
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
