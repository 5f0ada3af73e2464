// The text of an answer taken apart into what the model thought first and what it says. Pure.
import type { Message } from '../protocol';

const OPEN = '<think>';
const CLOSE = '</think>\n\n';

export interface Spoken {
  reasoning: string | null; // null: there is none
  text: string; // the answer
  thinking: boolean; // more of the reasoning comes
}

export function takeApart(answer: Message): Spoken {
  const { text } = answer;
  const grows = answer.status === 'streaming' && answer.calls.length === 0;
  if (!text.startsWith(OPEN)) {
    const begins = grows && OPEN.startsWith(text); // the mark may come in pieces
    return { reasoning: null, text: begins ? '' : text, thinking: false };
  }
  const end = text.indexOf(CLOSE, OPEN.length);
  const thinking = grows && end < 0;
  const thought = end < 0 ? text.slice(OPEN.length) : text.slice(OPEN.length, end);
  const reasoning = (thinking ? withoutBeginOf(CLOSE, thought) : thought).trim();
  return {
    reasoning: reasoning === '' && !thinking ? null : reasoning,
    text: end < 0 ? '' : text.slice(end + CLOSE.length),
    thinking,
  };
}

// Without what at the end may become the mark.
function withoutBeginOf(mark: string, text: string): string {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return text.slice(0, text.length - length);
  }
  return text;
}
