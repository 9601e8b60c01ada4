import { appColors, appIcons, getAppLook } from '@knowhow/shared/config/app-look';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { Contents } from './contents.ts';

/** Issues for unknown icons and colours of apps, which are then shown without them. */
export function invalidAppIcons({ apps }: Pick<Contents, 'apps'>): ContentIssue[] {
  return [...apps.values()].flatMap(({ id, icon, color }) => {
    const look = getAppLook({ icon, color });
    const at = { path: `contents/apps/${id}.json`, isUsed: true };
    return [
      ...(icon !== undefined && look.icon === undefined
        ? [{ ...at, field: 'icon', message: noIcon }]
        : []),
      ...(color !== undefined && look.color === undefined
        ? [{ ...at, field: 'color', message: noColor }]
        : []),
    ];
  });
}

const noIcon = `There is no such icon: the app is shown without. Write one emoji, or one of ${appIcons.join(', ')}.`;
const noColor = `There is no such colour, so the app has none. Use one of ${appColors.join(', ')}, or a hex colour such as #0f766e; the nearest one is used.`;
