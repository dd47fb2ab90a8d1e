// Telling a player who looks elsewhere that it is their turn: two soft notes and the title of the window.

import { isSoundOn } from './store';

let audio: AudioContext | null = null;

function note(context: AudioContext, frequency: number, from: number): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = frequency;
  oscillator.type = 'sine';
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(0.12, from + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.001, from + 0.35);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + 0.4);
}

/** Plays the two notes, if sound is on and the browser lets it. */
export function ring(): void {
  if (!isSoundOn() || typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const context = audio;
  void context
    .resume()
    .then(() => {
      note(context, 660, context.currentTime);
      note(context, 880, context.currentTime + 0.14);
    })
    .catch(() => undefined);
}
