package parlor;

import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;

/** Messages by the names of their classes and fields, since those are not public. */
final class Records {
    private static final String[] PACKAGES = {"clientToServer.", "serverToClient.", "serverToClient.layoutUpdate."};

    private Records() {
    }

    /** A message with these fields, each as a name and a value. */
    static Serializable make(String name, Object... fields) throws ReflectiveOperationException {
        Constructor<?> constructor = classOf(name).getDeclaredConstructor();
        constructor.setAccessible(true);
        Object message = constructor.newInstance();
        for (int i = 0; i < fields.length; i += 2)
            field(message, (String) fields[i]).set(message, fields[i + 1]);
        return (Serializable) message;
    }

    @SuppressWarnings("unchecked")
    static <T> T get(Object message, String name) throws ReflectiveOperationException {
        return (T) field(message, name).get(message);
    }

    static String name(Object message) {
        return message.getClass().getSimpleName();
    }

    private static Class<?> classOf(String name) throws ClassNotFoundException {
        for (String part : PACKAGES) {
            try {
                return Class.forName("it.polimi.ingsw.messages." + part + name);
            } catch (ClassNotFoundException next) {
                continue;
            }
        }
        throw new ClassNotFoundException(name);
    }

    private static Field field(Object message, String name) throws ReflectiveOperationException {
        Field field = message.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
