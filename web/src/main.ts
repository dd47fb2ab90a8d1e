document.body.append('Parlor');
