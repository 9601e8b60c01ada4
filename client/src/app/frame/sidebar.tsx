import type { Me } from '@knowhow/shared/access/auth';
import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { Button } from '@mantine/core';
import { IconLayoutSidebar, IconPencilPlus } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useMatch, useNavigate } from 'react-router';
import type { MenuDialog } from '../../features/account/menu-dialog.ts';
import { UserMenu } from '../../features/account/user-menu.tsx';
import { ConversationList } from '../../features/conversations/conversation-list.tsx';
import { useRunningConversations } from '../../features/turn/turn-context.ts';
import { Bolt } from '../../ui/bolt.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { useLeave } from '../chat/use-leave.ts';
import { Brand } from './brand.tsx';
import classes from './sidebar.module.css';

const InboxLink = lazyPart(
  async () => (await import('../../features/inbox/inbox-link.tsx')).InboxLink,
  () => null,
);

interface SidebarProps {
  me: Me;
  deletions: {
    hidden: ReadonlySet<string>;
    remove: (conversations: ConversationSummary[]) => void;
  };
  onClose: () => void;
  onOpen: (dialog: MenuDialog) => void;
}

/** The conversations, with a button for a new one above and the user menu below. */
export function Sidebar(props: SidebarProps) {
  const { me, deletions, onClose, onOpen } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const leave = useLeave();
  const running = useRunningConversations();
  const shownId = useMatch('/c/:id')?.params.id;

  function remove(conversations: ConversationSummary[]) {
    deletions.remove(conversations);
    if (conversations.some(({ id }) => id === shownId)) {
      void navigate('/');
    }
  }

  return (
    <div className={classes.sidebar}>
      <div className={classes.head}>
        <Brand />
        <IconButton
          label={t('shell.closeSidebar')}
          icon={<IconLayoutSidebar size={18} />}
          onClick={onClose}
        />
      </div>
      <div className={classes.new}>
        <Button
          variant="default"
          fullWidth
          justify="flex-start"
          leftSection={<IconPencilPlus size={17} aria-hidden />}
          onClick={() => navigate('/')}
        >
          {t('action.newConversation')}
        </Button>
      </div>
      <nav className={classes.pages} aria-label={t('shell.pages')}>
        <NavLink to="/skills">
          <Bolt />
          {t('shell.skills')}
        </NavLink>
        {!me.anonymous && (
          <Suspense>
            <InboxLink />
          </Suspense>
        )}
      </nav>
      <ConversationList hidden={deletions.hidden} running={running} onDelete={remove} />
      <div className={classes.foot}>
        <UserMenu
          me={me}
          onSignIn={() => navigate('/login')}
          onSignOut={leave}
          onOpen={onOpen}
          onAdminister={hasAdminPages(me) ? () => navigate('/admin') : undefined}
        />
      </div>
    </div>
  );
}

/** Traces are shown with each answer: a user with that permission alone has no admin page. */
function hasAdminPages({ adminRights = [] }: Me): boolean {
  return adminRights.some((right) => right !== 'traces');
}
