import type { ConfigItem, ConfigKind } from '@knowhow/shared/admin-config';
import { Link } from 'react-router';
import { useLocalize } from '../../i18n/use-localize.ts';
import classes from './item-list.module.css';
import { nameOf } from './name-of.ts';

interface ItemHeadProps {
  kind: ConfigKind;
  item: ConfigItem;
}

/** What an item is called, where it leads, and what is wrong with its file. */
export function ItemHead({ kind, item }: ItemHeadProps) {
  const localize = useLocalize();
  const { fault } = item;
  return (
    <>
      <Link className={classes.name} to={`/admin/${kind}/${encodeURIComponent(item.id)}`}>
        {nameOf(item, localize)}
      </Link>
      <span className={classes.id}>{item.id}</span>
      {fault && (
        <span className={classes.fault}>
          {fault.field === undefined ? fault.message : `${fault.field}: ${fault.message}`}
        </span>
      )}
    </>
  );
}
