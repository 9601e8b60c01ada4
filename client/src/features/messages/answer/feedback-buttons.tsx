import type { Feedback } from '@knowhow/shared/chat/feedback';
import {
  IconThumbDown,
  IconThumbDownFilled,
  IconThumbUp,
  IconThumbUpFilled,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';

interface FeedbackButtonsProps {
  feedback: Feedback | undefined;
  onFeedback: (feedback: Feedback | undefined) => void;
}

const thumbs = [
  { value: 'up', text: 'feedback.up', Icon: IconThumbUp, Pressed: IconThumbUpFilled },
  { value: 'down', text: 'feedback.down', Icon: IconThumbDown, Pressed: IconThumbDownFilled },
] as const;

/** Thumbs up and down; the pressed one withdraws the rating. */
export function FeedbackButtons({ feedback, onFeedback }: FeedbackButtonsProps) {
  const { t } = useTranslation();
  return thumbs.map(({ value, text, Icon, Pressed }) => {
    const isPressed = feedback?.value === value;
    return (
      <IconButton
        key={value}
        label={t(text)}
        aria-pressed={isPressed}
        icon={isPressed ? <Pressed size={16} /> : <Icon size={16} />}
        onClick={() => onFeedback(isPressed ? undefined : { value })}
      />
    );
  });
}
