// Text of strangers as nodes: plain text, and a marked element for each character that cannot be seen.
import { visiblePieces } from './visible';

export function visibleNodes(text: string): (Text | HTMLElement)[] {
  return visiblePieces(text).map((piece) => {
    if (!piece.mark) return document.createTextNode(piece.text);
    const mark = document.createElement('span');
    mark.className = 'unseen';
    mark.textContent = piece.text;
    return mark;
  });
}

// For {@attach}: keeps an element's content.
export function showing(text: string) {
  return (element: HTMLElement) => element.replaceChildren(...visibleNodes(text));
}
