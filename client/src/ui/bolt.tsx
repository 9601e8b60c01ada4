import { IconBoltFilled } from '@tabler/icons-react';
import classes from './bolt.module.css';

/** The symbol of a skill. */
export function Bolt({ size = 16 }: { size?: number }) {
  return <IconBoltFilled className={classes.bolt} size={size} aria-hidden />;
}
