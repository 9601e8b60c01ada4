import type { AppLook } from '@knowhow/shared/config/app-look';
import { Suspense } from 'react';
import classes from './app-icon.module.css';
import { lazyPart } from './loading/lazy-part.tsx';

const AppGlyph = lazyPart(
  async () => (await import('./app-glyph.tsx')).AppGlyph,
  () => null,
);

interface AppIconProps extends AppLook {
  /** In pixels. */
  size?: number;
}

/** The icon of an app in its colour; renders nothing without either. */
export function AppIcon({ icon, color, size = 22 }: AppIconProps) {
  return icon || color ? (
    <span className={classes.icon} data-color={color} style={{ fontSize: size * 0.6 }} aria-hidden>
      {icon &&
        (/^[a-z]+$/.test(icon) ? (
          <Suspense>
            <AppGlyph name={icon} />
          </Suspense>
        ) : (
          icon
        ))}
    </span>
  ) : null;
}
