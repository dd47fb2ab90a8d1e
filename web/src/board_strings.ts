// The words of the boards: what places, actions and positions of each game are called. Beside strings.ts, for the same reason.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const boardWords = {
  soccer: {
    board: (x: number, y: number) => `Pitch; the ball is at column ${x}, row ${y} from the centre`,
    scores: (name: string) => (name === '' ? 'goal' : `${name} scores here`),
    toGoal: 'into the goal',
    toBounce: 'bounces, you go on',
    toStop: 'ends your turn',
    directions: {
      N: 'up', NE: 'up right', E: 'right', SE: 'down right', S: 'down', SW: 'down left', W: 'left', NW: 'up left',
    } as Record<string, string>,
    arrows: { N: '↑', NE: '↗', E: '→', SE: '↘', S: '↓', SW: '↙', W: '←', NW: '↖' } as Record<string, string>,
    hint: (isTop: boolean) => `Bring the ball into the ${isTop ? 'top' : 'bottom'} goal. Rings bounce, dots end your turn.`,
  },
  hunt: {
    board: 'Map',
    go: (direction: string, done: number) =>
      done === 0 ? `Go ${direction}` : `Go on ${direction}, ${plural(done, 'action', 'actions')} of effort so far`,
    moves: { up: '↑ up', down: '↓ down', left: '← left', right: '→ right' } as Record<string, string>,
    half: 'sends a half of the map',
    hidden: 'hides the treasures',
    faked: 'spreads rumours about positions',
    joined: 'lays out the map',
    enterSeed: 'Let chance draw my half of the map',
    enterCourse: 'Draw my half of the map myself',
    secret: 'a secret move',
    status: (name: string, collected: boolean, actions: number) =>
      `${name}: ${collected ? 'has the treasure' : 'without treasure'}, ${plural(actions, 'action', 'actions')}`,
    left: (done: number, max: number) => `${done} of ${max} actions`,
    findTreasure: 'Find your treasure: it lies on grass in your half, where you have not been yet.',
    findFort: 'You have the treasure! Now find the other fort, somewhere in their half.',
    reachFort: 'You have the treasure. Reach the other fort!',
  },
};
