import type { App } from '@knowhow/shared/config/apps';
import { Skeleton, UnstyledButton } from '@mantine/core';
import { useLocalize } from '../../i18n/use-localize.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import classes from './welcome.module.css';

interface WelcomeProps {
  app: App | undefined;
  isPending: boolean;
  onStarter: (message: string) => void;
}

/** An empty conversation: the app's greeting and up to four starter prompts. */
export function Welcome({ app, isPending, onStarter }: WelcomeProps) {
  const localize = useLocalize();
  if (!app) {
    return isPending ? <WelcomeSkeleton /> : null;
  }
  return (
    <div className={classes.welcome}>
      <span className={classes.icon}>
        <AppIcon icon={app.icon} color={app.color} size={44} />
      </span>
      <h2 className={classes.title}>{localize(app.greeting.title)}</h2>
      <p className={classes.subtitle}>{localize(app.greeting.subtitle)}</p>
      <div className={classes.starters}>
        {app.starterPrompts.slice(0, 4).map((starter) => (
          <UnstyledButton
            key={localize(starter.title)}
            className={classes.starter}
            onClick={() => onStarter(localize(starter.message))}
          >
            <span className={classes.name}>{localize(starter.title)}</span>
            <span className={classes.message}>{localize(starter.outcome ?? starter.message)}</span>
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}

function WelcomeSkeleton() {
  return (
    <div className={classes.welcome} aria-hidden>
      <Skeleton height={28} width={260} mx="auto" />
      <Skeleton height={14} width={340} mx="auto" mt={16} maw="100%" />
      <div className={classes.starters}>
        {[1, 2, 3, 4].map((card) => (
          <Skeleton key={card} height={68} radius={8} />
        ))}
      </div>
    </div>
  );
}
